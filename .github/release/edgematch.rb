# The formula of a release, for the tap `edgematch/homebrew-tap`; the workflow `release` fills in version and checksums.
class Edgematch < Formula
  desc "Solve edge-matching puzzles: every solution, proven complete"
  homepage "https://github.com/edgematch/edgematch"
  version "@NUMBER@"
  license "MIT"

  base = "https://github.com/edgematch/edgematch/releases/download/@VERSION@"
  on_macos do
    on_arm do
      url "#{base}/edgematch-cli-aarch64-apple-darwin-@VERSION@.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "#{base}/edgematch-cli-x86_64-apple-darwin-@VERSION@.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end
  on_linux do
    on_arm do
      url "#{base}/edgematch-cli-aarch64-unknown-linux-musl-@VERSION@.tar.gz"
      sha256 "@aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "#{base}/edgematch-cli-x86_64-unknown-linux-musl-@VERSION@.tar.gz"
      sha256 "@x86_64-unknown-linux-musl@"
    end
  end

  # The program looks for the solver for browsers beside itself.
  def install
    libexec.install "edgematch", "edgematch.wasm"
    bin.install_symlink libexec/"edgematch"
    doc.install "README.md", "CHANGELOG.md"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/edgematch --version")
    (testpath/"cards.yaml").write "tiles: {only: [a, b, c, d]}"
    assert_match "1 solution", shell_output("#{bin}/edgematch solve cards.yaml")
  end
end

// The script of the stand-alone correction page, which saves the puzzle as a file.

const correction = new Correction(JSON.parse(document.getElementById("reading").textContent));
const status = document.getElementById("status");
review(document.getElementById("review"), correction, (text) => (status.textContent = text));
document.getElementById("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([correction.yaml()], { type: "text/yaml" }));
  link.download = "puzzle.yaml";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  status.textContent = "puzzle.yaml is saved: put it in the folder with the pictures of the cards";
});

//! The front end: a page, style sheets and JavaScript modules, compiled into the program.
//!
//! All modules are joined into one script, and all style sheets into one.

use std::sync::LazyLock;

use edgematch_read::{CORRECTION_SCRIPT, REVIEW_SCRIPT, REVIEW_STYLE};

/// A file that a server serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// The file name.
    pub name: &'static str,
    /// The value of `Content-Type`.
    pub kind: &'static str,
    /// The content.
    pub text: &'static str,
}

/// The value of `Content-Type` for modules.
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The asset of a JavaScript module in `front/`.
macro_rules! module {
    ($name:literal) => {
        Asset { name: $name, kind: SCRIPT, text: include_str!(concat!("front/", $name)) }
    };
}

/// The content security policy of a served page: it may load resources only from its own server.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                          img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; \
                          worker-src 'self'; base-uri 'none'; \
                          form-action 'none'; frame-ancestors 'none'";

const STYLE: &str = include_str!("front/style.css");

/// The modules; each comes after the modules that it imports.
const MODULES: [Asset; 54] = [
    module!("dom.js"),
    module!("en.js"),
    module!("de.js"),
    module!("storage.js"),
    module!("words.js"),
    module!("dialog.js"),
    module!("icons.js"),
    module!("status.js"),
    module!("clock.js"),
    module!("daily.js"),
    module!("address.js"),
    module!("spoken.js"),
    module!("orientation.js"),
    module!("finder.js"),
    module!("about.js"),
    module!("game.js"),
    module!("position.js"),
    module!("play.js"),
    module!("source.js"),
    module!("server.js"),
    module!("inside.js"),
    module!("known.js"),
    module!("offered.js"),
    module!("solver.js"),
    module!("sheet.js"),
    module!("looks.js"),
    module!("picture.js"),
    module!("board.js"),
    module!("drag.js"),
    module!("pointer.js"),
    module!("tray.js"),
    module!("table.js"),
    module!("zoom.js"),
    module!("solutions.js"),
    module!("watch.js"),
    module!("questions.js"),
    module!("sound.js"),
    module!("celebration.js"),
    module!("session.js"),
    module!("shapes.js"),
    module!("palette.js"),
    module!("editor_form.js"),
    module!("editor.js"),
    Asset { name: "correction.js", kind: SCRIPT, text: CORRECTION_SCRIPT },
    Asset { name: "review.js", kind: SCRIPT, text: REVIEW_SCRIPT },
    module!("saving.js"),
    module!("photo.js"),
    module!("dialogs.js"),
    module!("keys.js"),
    module!("share.js"),
    module!("results.js"),
    module!("thumbnails.js"),
    module!("gallery.js"),
    module!("main.js"),
];

/// Additional files of a served page: the web app manifest, its icon, and the service worker.
pub const EXTRA_ASSETS: [Asset; 3] = [
    module!("worker.js"),
    Asset {
        name: "manifest.webmanifest",
        kind: "application/manifest+json",
        text: include_str!("front/manifest.webmanifest"),
    },
    Asset { name: "icon.svg", kind: "image/svg+xml", text: include_str!("front/icon.svg") },
];

/// The style sheet and the script of a served page.
pub(super) static SERVED: LazyLock<[Asset; 2]> = LazyLock::new(|| {
    let css = "text/css; charset=utf-8";
    // They are served until the program ends.
    let [style, script] = [style(), bundle()].map(|text| &*text.leak());
    [
        Asset { name: "page.css", kind: css, text: style },
        Asset { name: "page.js", kind: SCRIPT, text: script },
    ]
});

/// The HTML of the page as a server serves it.
pub(super) static INDEX: LazyLock<String> = LazyLock::new(|| {
    let head = "<link rel=\"stylesheet\" href=\"page.css\">";
    let scripts = "<script type=\"module\" src=\"page.js\"></script>";
    SOURCE.replacen(HEAD, head, 1).replacen(SCRIPTS, scripts, 1)
});

/// The HTML of the page, which loads each style sheet and each module.
const SOURCE: &str = include_str!("front/index.html");

/// The links to the style sheets in [`SOURCE`], which [`index`] replaces.
const HEAD: &str = "<link rel=\"stylesheet\" href=\"style.css\">\n\
                    <link rel=\"stylesheet\" href=\"review.css\">";
/// The link to the script in [`SOURCE`], which [`index`] replaces.
const SCRIPTS: &str = "<script type=\"module\" src=\"main.js\"></script>";

/// The links to the icon and the manifest in [`SOURCE`], which [`index`] removes.
pub(super) const FILES: &str = "<link rel=\"icon\" href=\"icon.svg\">\n\
                                <link rel=\"manifest\" href=\"manifest.webmanifest\">\n";

/// The whole style sheet of the page.
pub(super) fn style() -> String {
    format!("{STYLE}\n{REVIEW_STYLE}")
}

/// The page with the style sheets replaced by `head`, the script by `scripts`, and without links to
/// other files.
pub(super) fn index(head: &str, scripts: &str) -> String {
    SOURCE.replacen(FILES, "", 1).replacen(HEAD, head, 1).replacen(SCRIPTS, scripts, 1)
}

/// Joins all modules into one script, because a page in a single file cannot import. Each module
/// becomes a function that returns its exports.
pub(super) fn bundle() -> String {
    MODULES.iter().map(|module| module_to_function(module.name, module.text)).collect()
}

/// Converts a module to a function that returns its exports.
///
/// # Panics
/// If an import is not of named exports or of everything from a sibling file, or an export is not a
/// declaration; each must start on a line of its own.
fn module_to_function(name: &str, text: &str) -> String {
    let mut exported = Vec::new();
    let mut body = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut import = line.to_owned();
            while !import.ends_with(';') {
                import += lines.next().expect("an import ends");
            }
            body += &import_to_assignment(&import);
        } else if let Some(declaration) = line.strip_prefix("export ") {
            exported.push(declared_name(declaration));
            body += declaration;
        } else {
            body += line;
        }
        body.push('\n');
    }
    let variable = module_variable(name);
    let exported = exported.join(", ");
    format!("const {variable} = (() => {{\n{body}return {{{exported}}};\n}})();\n")
}

/// Converts `import { a, b } from "./c.js";` or `import * as a from "./c.js";` to an assignment.
fn import_to_assignment(import: &str) -> String {
    let (names, file) = import
        .trim_start_matches("import ")
        .trim_end_matches(';')
        .split_once(" from ")
        .expect("modules import by name");
    let names = names.trim_start_matches("* as ");
    format!("const {names} = {};", module_variable(file.trim_matches('"').trim_start_matches("./")))
}

/// The name that a declaration introduces.
fn declared_name(declaration: &str) -> &str {
    let mut words = declaration.split([' ', '(', '=', '*']);
    let name =
        words.find(|word| !["async", "function", "class", "const", "let", ""].contains(word));
    name.expect("a declaration names something")
}

/// The variable that contains the exports of a module.
fn module_variable(file: &str) -> String {
    format!("module_{}", file.trim_end_matches(".js"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_module_becomes_a_function() {
        let text = "import { a,\n  b } from \"./x.js\";\nimport * as z from \"./z.js\";\nexport const c = a;\n\
                    export async function d(e) {\n  return b;\n}\n";
        assert_eq!(
            module_to_function("y.js", text),
            "const module_y = (() => {\nconst { a,  b } = module_x;\nconst z = module_z;\nconst c = a;\n\
             async function d(e) {\n  return b;\n}\nreturn {c, d};\n})();\n"
        );
    }

    #[test]
    fn every_module_comes_after_those_that_it_imports() {
        let mut known = HashSet::new();
        for asset in &MODULES {
            let imports = asset.text.split(" from \"./").skip(1);
            for file in imports.filter_map(|rest| rest.split('"').next()) {
                assert!(known.contains(file), "{} imports {file}", asset.name);
            }
            known.insert(asset.name);
        }
    }

    #[test]
    fn every_language_has_the_same_words() {
        let keys = |name: &str| -> HashSet<&str> {
            let module = MODULES.iter().find(|asset| asset.name == name).unwrap();
            module
                .text
                .lines()
                .filter_map(|line| line.strip_prefix("  \"")?.split('"').next())
                .collect()
        };
        let (english, german) = (keys("en.js"), keys("de.js"));
        assert!(english.len() > 200);
        let differ: Vec<_> = english.symmetric_difference(&german).collect();
        assert!(differ.is_empty(), "{differ:?}");
    }

    #[test]
    fn no_module_is_long() {
        let is_code = |asset: &&Asset| !["en.js", "de.js"].contains(&asset.name);
        for asset in MODULES.iter().filter(is_code) {
            assert!(asset.text.lines().count() <= 300, "{}", asset.name);
        }
    }

    #[test]
    fn the_page_loads_its_style_and_its_script() {
        assert!([FILES, HEAD, SCRIPTS].iter().all(|part| SOURCE.contains(part)));
        assert!(SERVED.iter().all(|asset| INDEX.contains(asset.name)));
        assert!(!bundle().contains("import ") && !bundle().contains("</script"));
    }
}

//! `edgematch-web-pack IN.wasm OUT.wasm` packs the compiled solver into one file.
//!
//! `wasm-bindgen` transforms the module and generates the JavaScript that connects it to a page.
//! That code and the script of a worker are added to the module as a custom section named
//! `javascript`, which a page reads with `WebAssembly.Module.customSections`.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

/// The name of the custom section.
const SECTION: &str = "javascript";

/// The script of the worker, which uses the code that `wasm-bindgen` generates.
const WORKER: &str = include_str!("worker.js");

fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        bail!("usage: edgematch-web-pack IN.wasm OUT.wasm");
    };
    let mut bound = Bindgen::new()
        .input_path(Path::new(input))
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()?;
    let mut module = bound.wasm_mut().emit_wasm();
    let script = format!("{}\n{WORKER}", bound.js());
    module.extend(section(SECTION, script.as_bytes()));
    let path = Path::new(output).display();
    fs::write(output, module).with_context(|| path.to_string())?;
    Ok(())
}

/// A custom section: its number 0, its length, its name, its content.
fn section(name: &str, content: &[u8]) -> Vec<u8> {
    let mut inside = leb128(name.len());
    inside.extend(name.as_bytes());
    inside.extend(content);
    let mut section = vec![0];
    section.extend(leb128(inside.len()));
    section.extend(inside);
    section
}

/// Encodes a number as unsigned LEB128.
fn leb128(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_in_groups_of_seven_bits() {
        assert_eq!(leb128(0), [0]);
        assert_eq!(leb128(127), [0x7f]);
        assert_eq!(leb128(624_485), [0xe5, 0x8e, 0x26]);
    }

    #[test]
    fn a_section_says_its_length() {
        assert_eq!(section("ab", b"cde"), [0, 6, 2, b'a', b'b', b'c', b'd', b'e']);
    }
}

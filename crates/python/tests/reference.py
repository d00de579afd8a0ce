"""Writes docs/python.md from the docstrings, which follow numpydoc."""
import inspect
import re
from typing import Any

import edgematch

HEAD = """# Python

The reference of the package. [Its page](https://github.com/edgematch/edgematch/blob/main/crates/python/README.md) shows how to
install it, with examples. This page is made from its docstrings.
"""
FIRST = ["load", "generate", "Puzzle", "Solution", "Placement", "Solutions"]
LAST = ["engines", "read_results", "PuzzleError", "SearchError", "Stopped", "Unsupported"]


def reference() -> str:
    """The page: functions and classes in the order of use, with their members."""
    others = [name for name in edgematch.__all__ if name not in FIRST + LAST and inspect.isclass(getattr(edgematch, name))]
    return "\n".join([HEAD, *(entry(name, getattr(edgematch, name), "##") for name in FIRST + others + LAST)])


def entry(name: str, thing: Any, level: str) -> str:
    """A heading and the description; of a class, also the public members that have a docstring."""
    called = signature(thing)
    call = f"`{name.lstrip('.')}{called}`\n\n" if called else ""
    text = f"{level} {name}\n\n{call}{markdown(inspect.getdoc(thing) or '')}\n"
    if inspect.isclass(thing) and not issubclass(thing, Exception):
        members = {key: value for key, value in vars(thing).items() if not key.startswith("_")}
        for key, value in members.items():
            value = getattr(value, "__func__", value)
            if callable(value) or isinstance(value, property):
                text += "\n" + entry(f".{key}", value, "###")
    return text


def signature(thing: Any) -> str:
    """The parameters with their defaults; empty for properties, and for classes that no user creates."""
    if isinstance(thing, property) or (inspect.isclass(thing) and thing is not edgematch.Puzzle):
        return ""
    parameters, is_keyword = [], False
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword:
            parameters.append("*")
            is_keyword = True
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parameters.append(f"{star}{parameter.name}{default}")
    return f"({', '.join(parameters)})"


def markdown(doc: str) -> str:
    """A docstring as Markdown: sections become lists."""
    parts = re.split(r"^(\w+)\n-{3,}\n", doc, flags=re.MULTILINE)
    text = [plain(parts[0])]
    for title, body in zip(parts[1::2], parts[2::2]):
        items = re.findall(r"^(\S.*)\n((?:(?:    .*)?\n)*(?:    .*)?)", body + "\n", re.MULTILINE)
        lines = [f"- {heading(item)}: {plain(inspect.cleandoc(text), '  ')}".rstrip(": ") for item, text in items]
        text.append(f"*{title}*\n\n" + "\n".join(lines))
    return "\n\n".join(text)


def heading(item: str) -> str:
    """`name : type` as code and text."""
    name, _, kind = item.partition(" : ")
    return f"`{name}`" + (f" ({kind})" if kind else "")


def plain(text: str, indent: str = "") -> str:
    """Prose on one line for each paragraph, and with indented or prompted lines as code."""
    paragraphs = []
    for paragraph in text.strip().split("\n\n"):
        if paragraph.startswith(">>>"):
            paragraphs.append(f"```pycon\n{paragraph}\n```")
        elif paragraph.startswith("- "):
            paragraphs.append(f"\n{indent}".join(paragraph.split("\n")))
        else:
            paragraphs.append(" ".join(paragraph.split()))
    return f"\n\n{indent}".join(paragraphs)

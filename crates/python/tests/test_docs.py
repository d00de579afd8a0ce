"""Tests of what the documentation shows: each block runs as written."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import edgematch
from common import KNIFFLIG, LOOSE, ROOT
from reference import reference


def the_command() -> str:
    command = shutil.which("edgematch", path=str(Path(sys.executable).parent))
    assert command
    return command


def test_the_command_comes_with_it() -> None:
    command = the_command()
    said = subprocess.run([command, "count", str(KNIFFLIG)], capture_output=True, text=True, check=True)
    assert "distinct   37" in said.stdout


def run_notebook(name: str) -> tuple[str, list[Any]]:
    """What the cells of a notebook print, and the data that they show."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(ROOT / "crates" / "python" / name, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return "".join(output.get("text", "") for output in outputs), [output.data for output in outputs if "data" in output]


def test_the_notebook_for_cp_sat_runs() -> None:
    pytest.importorskip("ortools")
    printed, shown = run_notebook("cp-sat.ipynb")
    assert "4 solutions, every turn" in printed and "1 distinct, 4 solutions" in printed and "37 distinct" in printed
    assert len(shown) == 3 and all("image/svg+xml" in data for data in shown)


def test_the_notebook_for_classes_runs() -> None:
    pytest.importorskip("matplotlib")
    printed, shown = run_notebook("class.ipynb")
    assert "95,126,814,720 ways" in printed and "1 distinct" in printed
    assert "296 solutions, 40 with level rows\n40 with level rows" in printed
    assert "image/svg+xml" in shown[0] and sum("image/png" in data for data in shown) == 2


def test_the_reference_is_made_from_the_docstrings() -> None:
    page = ROOT / "docs" / "python.md"
    if os.environ.get("EDGEMATCH_UPDATE") == "1":
        page.write_text(reference(), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == reference(), "write it anew with EDGEMATCH_UPDATE=1"


def python_blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)


def test_pandas_and_duckdb_read_the_results_of_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import duckdb
    import duckdb_extensions  # type: ignore[import-untyped]

    monkeypatch.chdir(tmp_path)
    puzzles = [ROOT / "puzzles" / f"{name}.yaml" for name in ("absolut-knifflig", "scramble-1", "sharks-misread")]
    batch = [the_command(), "batch", "--quiet", "--results", "runs.sqlite", "--engine", "propagate,scan-rows"]
    subprocess.run([*batch, *puzzles], check=True)
    duckdb_extensions.import_extension("sqlite_scanner")
    with_pandas, with_duckdb = python_blocks("docs/batch.md")
    names: dict[str, Any] = {}
    exec(with_pandas, names)
    nodes = names["runs"].pivot_table(index="name", columns="engine", values="nodes")
    assert list(nodes.columns) == ["propagate", "scan-rows"] and list(nodes.index) == [p.stem for p in puzzles]
    assert edgematch.read_results("runs.sqlite").equals(names["runs"])
    assert names["runs"].groupby("name")["distinct_count"].unique().map(list).to_dict() == {
        "absolut-knifflig": ["37"], "scramble-1": ["1"], "sharks-misread": ["0"],
    }
    exec(with_duckdb, {})
    assert "scan-rows" in capsys.readouterr().out
    found = duckdb.sql("SELECT name, max(distinct_count::HUGEINT) FROM 'runs.parquet' GROUP BY name ORDER BY name")
    assert found.fetchall() == [("absolut-knifflig", 37), ("scramble-1", 1), ("sharks-misread", 0)]


def test_pandas_reads_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run([the_command(), "solve", "-q", LOOSE, "--time-limit", "500ms", "--log", "run.jsonl"], stdout=subprocess.DEVNULL)
    (block,) = python_blocks("docs/commands.md")
    exec(block, {})
    printed = capsys.readouterr().out
    assert "resident" in printed and float(printed.split("mean depth")[1]) > 1


@pytest.mark.parametrize("page", ["README.md", "crates/python/README.md", "docs/own-constraints.md"])
def test_the_blocks_of_the_readmes_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "puzzles").symlink_to(ROOT / "puzzles")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in python_blocks(page):
        exec(block, names)
        # A comment on each line has its expected output.
        said = re.findall(r"^print\(.*# (.*)$", block, re.M)
        printed = capsys.readouterr().out
        assert all(text in printed for text in said), (said, printed)
        assert printed.count("[t=") == (27 if "for solution in" in block else 0)

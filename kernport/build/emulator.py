"""The qemu-user program that runs another architecture's binaries."""

import shutil
import subprocess

from kernport.build.toolkit import toolkit
from kernport.errors import EnvironmentLacks


def emulator(name: str) -> str:
    """The qemu-user program qemu-NAME: installed, or built by tests/rigs/qemu-NAME.sh.

    Raises EnvironmentLacks with how to get it.
    """
    for candidate in (f"qemu-{name}-static", f"qemu-{name}"):
        if found := shutil.which(candidate):
            return found
    rig = toolkit() / "tests" / "rigs" / f"qemu-{name}.sh"
    if not rig.is_file():
        raise EnvironmentLacks(f"qemu-{name} is missing; apt-get install qemu-user-static (10 or newer)")
    process = subprocess.run(
        ["sh", str(rig), "--find"], capture_output=True, text=True, check=False, timeout=60
    )
    if process.returncode != 0:
        raise EnvironmentLacks(f"qemu-{name} is not built; run tests/rigs/{rig.name} of kernport's sources")
    return process.stdout.strip()

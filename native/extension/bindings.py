"""The C source of the extension, by cffi from the public header and that of the timed operations.

python bindings.py OUTPUT HEADER...
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import cffi

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kernport.build.header import declarations


def main(output: Path, headers: Sequence[Path]) -> None:
    """Write the extension's C source, which declares and includes the headers in order."""
    ffi = cffi.FFI()
    for header in headers:
        ffi.cdef(declarations(header.read_text(encoding="utf-8")))
    ffi.set_source("kernport._cffi", "".join(f'#include "{header.name}"\n' for header in headers))
    ffi.emit_c_code(str(output))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(header) for header in sys.argv[2:]])

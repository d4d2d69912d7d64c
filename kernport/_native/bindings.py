"""The C source of the extension, by cffi from the public header and that of the timed operations.

python bindings.py OUTPUT HEADER...
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import cffi


def declarations(header: str) -> str:
    """The declarations of a header in the form that cffi reads: no preprocessor lines, no attributes."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'extern "C" \{(.*)\}', r"\1", text, flags=re.DOTALL)
    return text.replace("KP_PUBLIC ", "")


def main(output: Path, headers: Sequence[Path]) -> None:
    """Write the extension's C source, which declares and includes the headers in order."""
    ffi = cffi.FFI()
    for header in headers:
        ffi.cdef(declarations(header.read_text(encoding="utf-8")))
    ffi.set_source("kernport._cffi", "".join(f'#include "{header.name}"\n' for header in headers))
    ffi.emit_c_code(str(output))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(header) for header in sys.argv[2:]])

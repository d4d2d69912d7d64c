"""The calls that do the work: those of the extension's fast module on CPython, those over cffi elsewhere."""

import importlib.util
import sys
from importlib.machinery import ExtensionFileLoader
from types import ModuleType

TYPE_CHECKING = False  # typing's, without the milliseconds that its import takes
__all__ = ["AESGCM", "GMAC", "MD5", "md5", "md5_files", "md5_many"]

FAST = "kernport._fast"


def _load_fast() -> ModuleType:
    """Import kernport._fast, which lies in the file of kernport._cffi.

    One shared object holds both, so that there is one dispatcher and one copy of the kernels; Python
    looks for modules by the names of files and would not find the second.
    """
    if FAST in sys.modules:
        return sys.modules[FAST]
    container = importlib.util.find_spec("kernport._cffi")
    if container is None or container.origin is None:
        raise ModuleNotFoundError(
            "kernport's extension is missing: install a wheel of kernport, or build one by "
            "`python -m kernport build wheel`",
            name="kernport._cffi",
        )
    loader = ExtensionFileLoader(FAST, container.origin)
    spec = importlib.util.spec_from_loader(FAST, loader, origin=container.origin)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return sys.modules.setdefault(FAST, module)


if TYPE_CHECKING:
    from kernport._fast import AESGCM, GMAC, MD5, md5, md5_files, md5_many
elif sys.implementation.name == "cpython":
    _fast = _load_fast()
    AESGCM, GMAC, MD5 = _fast.AESGCM, _fast.GMAC, _fast.MD5
    md5, md5_files, md5_many = _fast.md5, _fast.md5_files, _fast.md5_many
else:
    from kernport.over_cffi import AESGCM, GMAC, MD5, md5, md5_files, md5_many

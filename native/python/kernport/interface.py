"""The public names of the library, each imported from its home when first asked for."""

import importlib

TYPE_CHECKING = False  # typing's, without the milliseconds that its import takes
if TYPE_CHECKING:
    from typing import Any

    from kernport._cffi import ffi, lib
    from kernport.aead import AESGCM
    from kernport.cpu import host
    from kernport.digest import file_digest, md5, md5_files, md5_many
    from kernport.errors import InvalidTag, InvalidTags
    from kernport.mac import GMAC

__all__ = [
    "AESGCM",
    "GMAC",
    "InvalidTag",
    "InvalidTags",
    "ffi",
    "file_digest",
    "host",
    "lib",
    "md5",
    "md5_files",
    "md5_many",
]

_HOMES = {
    "AESGCM": "kernport.aead",
    "GMAC": "kernport.mac",
    "InvalidTag": "kernport.errors",
    "InvalidTags": "kernport.errors",
    "ffi": "kernport._cffi",
    "file_digest": "kernport.digest",
    "host": "kernport.cpu",
    "lib": "kernport._cffi",
    "md5": "kernport.digest",
    "md5_files": "kernport.digest",
    "md5_many": "kernport.digest",
}


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module 'kernport' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)

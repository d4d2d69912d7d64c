# The extension that cffi makes of kernport.h.
from typing import Any

ffi: Any
lib: Any

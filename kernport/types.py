"""The types of arguments."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Buffer as Buffer
elif sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    Buffer = Any

# Associated data: a buffer, or several that count as their concatenation, or none.
AAD = Buffer | Sequence[Buffer] | None

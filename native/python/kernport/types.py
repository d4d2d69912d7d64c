"""The types of arguments."""

import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # typing's, without the milliseconds that its import takes
if TYPE_CHECKING:
    from typing_extensions import Buffer as Buffer
elif sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    Buffer = object

# Associated data: a buffer, or several that count as their concatenation, or none.
AAD = Buffer | Sequence[Buffer] | None

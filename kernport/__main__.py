"""`python -m kernport` is the command `kernport`."""

import sys

from kernport.cli import main

sys.exit(main())

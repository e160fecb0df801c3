"""`python -m epca` is the command `epca`."""

from epca.cli import main

raise SystemExit(main())

"""All statements about the dialect supabase: drive.py FOLDER [--short], or drive.py --simulated [SPOILED].

FOLDER has the built processes. The simulation is gotrue.py in place of Latchkey, to check the statements themselves: they have
to hold, and with a spoiled answer one has to fail.
"""
import pathlib
import sys
import tempfile

import statements
from world import Deployment, Simulation

import official, raw, refusals, lost, deployment, exchange, rows  # noqa: E401,F401  (they declare the statements)

if sys.argv[1] == "--simulated":
    with Simulation(*sys.argv[2:]) as world:
        sys.exit(statements.run(world, short=bool(sys.argv[2:])) > 0)
with tempfile.TemporaryDirectory(prefix="latchkey-supabase-", dir="/tmp") as name:
    with Deployment(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(name)) as world:
        sys.exit(statements.run(world, short="--short" in sys.argv) > 0)

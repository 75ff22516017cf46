"""Row-level policies in PostgreSQL by claims of real tokens, set as PostgREST sets them: the role, then `request.jwt.claims`.

As a program it runs one statement with the claims on standard input, in the database that with-postgres made.
"""
import json
import os
import subprocess
import sys

import jwt

from official import phone_session
from statements import admin, same, statement
from world import here


def execute(url, claims, sql):
    """One transaction as PostgREST makes it for a request with a token of these claims."""
    text = json.dumps(claims).replace("'", "''")
    script = (f"BEGIN; SET LOCAL ROLE \"{claims['role']}\"; SELECT set_config('request.jwt.claims', '{text}', true) \\g /dev/null\n"
              f"{sql};\nCOMMIT;\n")
    done = subprocess.run(["psql", url, "-qAtX", "-v", "ON_ERROR_STOP=1"], input=script, capture_output=True, text=True)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else done.stderr


def claims_of(token):
    return jwt.decode(token, options={"verify_signature": False})


def owners(url, one, two, support, native):
    """Each statement as a pair of what it does and what is expected."""
    yield execute(url, one, "INSERT INTO notes (text) VALUES ('of one') RETURNING owner"), [one["sub"]]
    yield execute(url, two, "INSERT INTO notes (text) VALUES ('of two') RETURNING owner"), [two["sub"]]
    yield execute(url, one, "SELECT text FROM notes"), ["of one"]
    yield execute(url, two, "SELECT text FROM notes"), ["of two"]
    yield "row-level" in str(execute(url, two, f"INSERT INTO notes (owner, text) VALUES ('{one['sub']}', 'x')")), True
    yield execute(url, support, "SELECT text FROM notes ORDER BY 1"), ["of one", "of two"]
    yield execute(url, {**one, "aal": "aal0"}, "SELECT text FROM notes"), []
    yield "permission denied" in str(execute(url, {**one, "role": "anon"}, "SELECT text FROM notes")), True
    if native:
        # Why the ids and the role of this dialect are other ones.
        yield "does not exist" in str(execute(url, native, "SELECT auth.uid()")), True
        yield "invalid input syntax for type uuid" in str(
            execute(url, {**native, "role": "authenticated"}, "SELECT auth.uid()")), True


@statement("row-level policies with auth.uid() and app_metadata hold in PostgreSQL with the claims of real tokens")
def row_level(world):
    tokens = [claims_of(phone_session(world).get_session().access_token) for _ in range(2)]
    special = phone_session(world)
    admin(world).update_user_by_id(special.get_user().user.id, {"app_metadata": {"plan": "support"}})
    special.refresh_session()
    tokens.append(claims_of(special.get_session().access_token))
    other = None
    if world.is_real:
        from deployment import native
        other = claims_of(native(world, world.phone())["tokens"]["accessToken"])
    done = subprocess.run(
        [here.parent / "moving-in/with-postgres", here / "rows.sql", sys.executable, here / "rows.py"],
        input=json.dumps([*tokens, other]), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    for number, (found, expected) in enumerate(owners(os.environ["DATABASE_URL"], *json.load(sys.stdin))):
        same((number, found), (number, expected))

-- The tables of token-service in SQLite; times are Unix seconds. Until the first release this is edited in place; afterwards steps are only added.

-- The last block of row numbers of sessions that was given out; no number is used twice.
CREATE TABLE session_blocks (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL);
INSERT INTO session_blocks (id, last) VALUES (1, 0);

-- `sessions` has one row for each session, with blobs of fixed width, so that a rotation rewrites its row in place and the
-- pages stay full. Row numbers are never used twice, because an old token must not match another session. The columns of
-- marks bound how old a token is that another tab of a page may present; `page_hash` is null for the sessions of apps.
--
-- The index by user keeps live sessions next to each other: a user who signs in ten thousand times has a hundred of them, and
-- only those are read when another one is opened. Expired rows are found without an index, which would cost every write of
-- its table one more page. `expires_at` of an epoch is null for existing users; `last_used_at` is the
-- newest use of the user's sessions that have expired and were removed.
CREATE TABLE sessions (
    locator INTEGER PRIMARY KEY,
    sid BLOB NOT NULL,
    user_id BLOB NOT NULL,
    epoch INTEGER NOT NULL,
    dialect TEXT NOT NULL,
    method TEXT NOT NULL,
    current_hash BLOB NOT NULL,
    previous_hash BLOB NOT NULL,
    generation INTEGER NOT NULL,
    salt BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    authenticated_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL,
    absolute_expires_at INTEGER,
    access_expires_at INTEGER NOT NULL,
    is_revoked INTEGER NOT NULL DEFAULT 0,
    reason INTEGER NOT NULL DEFAULT 0,
    device TEXT,
    network TEXT,
    claims BLOB NOT NULL,
    late_repeats INTEGER NOT NULL DEFAULT 0,
    late_generation INTEGER NOT NULL DEFAULT 0,
    page_hash BLOB,
    mark_generation INTEGER NOT NULL DEFAULT 0,
    marked_at INTEGER NOT NULL DEFAULT 0,
    older_mark_generation INTEGER NOT NULL DEFAULT 0,
    older_marked_at INTEGER NOT NULL DEFAULT 0,
    -- The kind of the device that signed in, a `DeviceKind`; NULL if its software does not show it.
    device_kind TEXT,
    -- The user who acts as the session's user; NULL in the user's own sessions.
    actor BLOB,
    -- Bits of `AuthenticationFactors`: all, and above them those at `authenticated_at`; NULL for those of `method`.
    factors INTEGER
);
CREATE UNIQUE INDEX sessions_by_sid ON sessions (sid);
CREATE INDEX sessions_by_user ON sessions (user_id, is_revoked);
CREATE INDEX sessions_by_page ON sessions (page_hash) WHERE page_hash IS NOT NULL;
CREATE INDEX sessions_by_actor ON sessions (actor) WHERE actor IS NOT NULL;

CREATE TABLE used_grants (id TEXT PRIMARY KEY, session INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE user_epochs (
    user_id BLOB PRIMARY KEY,
    epoch INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    last_used_at INTEGER
) WITHOUT ROWID;

CREATE TABLE revocations (
    sid BLOB PRIMARY KEY,
    reason INTEGER NOT NULL,
    access_expires_at INTEGER NOT NULL,
    published INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX revocations_unpublished ON revocations (access_expires_at) WHERE published = false;

CREATE TABLE version_floors (
    sid BLOB PRIMARY KEY,
    version INTEGER NOT NULL,
    access_expires_at INTEGER NOT NULL,
    published INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX version_floors_unpublished ON version_floors (access_expires_at) WHERE published = false;

CREATE TABLE signing_keys (
    kid TEXT PRIMARY KEY,
    algorithm TEXT NOT NULL,
    state TEXT NOT NULL,
    state_since INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    token_seconds INTEGER NOT NULL,
    sealed BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE key_revocations (
    kid TEXT PRIMARY KEY,
    holds_until INTEGER NOT NULL,
    published INTEGER NOT NULL
) WITHOUT ROWID;

-- The epoch below which nothing is valid, and whether the file was restored since the last start.
CREATE TABLE restore_floor (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL, is_new INTEGER NOT NULL);
INSERT INTO restore_floor VALUES (1, 0, 0);

-- Records are only added, each linked by its hash to the one before it. A file has one slot.
CREATE TABLE audit_slots (
    number INTEGER PRIMARY KEY,
    newest INTEGER NOT NULL,
    newest_hash BLOB NOT NULL,
    removed INTEGER NOT NULL,
    removed_hash BLOB NOT NULL
);
INSERT INTO audit_slots VALUES (0, 0, zeroblob(32), 0, zeroblob(32));
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    slot INTEGER NOT NULL,
    hash BLOB NOT NULL,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    user_id BLOB,
    sid BLOB,
    detail TEXT
);

CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;

-- Counts of events by the hour, for the operator's charts; they are about no person.
CREATE TABLE hourly_counts (
    hour INTEGER NOT NULL, series TEXT NOT NULL, amount INTEGER NOT NULL, PRIMARY KEY (hour, series)) WITHOUT ROWID;

-- The tables of user-service in SQLite; times are Unix seconds. Until the first release this is edited in place; afterwards steps are only added.

-- Pseudonyms are random and never searched for, so they need no index. The index of identities finds a user's oldest phone
-- number without reading all of them. Results of sign-ins expire and may outlive their users; an index by expiry or by user
-- would be a quarter of what a sign-in writes. The call and the time of a result are null unless an identity token was used.
--
-- Each receiver of messages has a lane in `outbox`, so that an unavailable one does not delay the others; mails are sent by
-- rank and turn.
CREATE TABLE users (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    pseudonym BLOB NOT NULL CHECK (length(pseudonym) = 16),
    name TEXT,
    attributes TEXT NOT NULL,
    role TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deletion_requested_at INTEGER,
    deletion_due_at INTEGER,
    is_for_review INTEGER NOT NULL,
    legacy_id TEXT,
    app_metadata TEXT,
    own_metadata TEXT,
    CHECK ((deletion_requested_at IS NULL) = (deletion_due_at IS NULL))
) WITHOUT ROWID;
CREATE UNIQUE INDEX users_by_legacy_id ON users (legacy_id) WHERE legacy_id IS NOT NULL;
CREATE INDEX users_by_role ON users (role) WHERE role <> 'user';
CREATE INDEX users_by_deletion ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL;

CREATE TABLE identities (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    tokens_from INTEGER,
    PRIMARY KEY (kind, value)
) WITHOUT ROWID;
CREATE INDEX identities_by_user ON identities (user_id, kind, created_at);

-- Identities that users were given after the moment to which a restore went back, until user-service gives them again.
CREATE TABLE restored_identities (
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sealed TEXT NOT NULL,
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (user_id, sealed)
) WITHOUT ROWID;

-- Accounts whose changes are held back: after a report or several new devices until an operator has cleared them, after a lockout until
-- `ends_at`.
CREATE TABLE reviews (
    user_id BLOB PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    since INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    ends_at INTEGER
) WITHOUT ROWID;

CREATE TABLE apple_tokens (
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    client_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    signed_in_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, subject, client_id)
) WITHOUT ROWID;

CREATE TABLE unverified_addresses (
    address TEXT PRIMARY KEY,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX unverified_addresses_by_user ON unverified_addresses (user_id);

CREATE TABLE passwords (
    user_id BLOB PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    version INTEGER NOT NULL,
    changed_at INTEGER
) WITHOUT ROWID;

CREATE TABLE registrations (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    address TEXT NOT NULL,
    hash TEXT NOT NULL,
    name TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX registrations_by_address ON registrations (address, created_at);

CREATE TABLE invitations (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    role TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
) WITHOUT ROWID;

CREATE TABLE account_links (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    purpose TEXT NOT NULL,
    subject BLOB NOT NULL CHECK (length(subject) = 16),
    address TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX account_links_by_subject ON account_links (subject);

-- Changes of identities that happen later, unless the user objects. Until it is verified, a change has no time.
CREATE TABLE pending_changes (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    other_id BLOB REFERENCES users (id) ON DELETE CASCADE,
    number TEXT,
    payload TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    moves_at INTEGER
) WITHOUT ROWID;
CREATE INDEX pending_changes_by_user ON pending_changes (user_id);
CREATE INDEX pending_changes_by_other ON pending_changes (other_id) WHERE other_id IS NOT NULL;
CREATE UNIQUE INDEX pending_changes_by_number ON pending_changes (number) WHERE number IS NOT NULL;
CREATE INDEX pending_changes_by_time ON pending_changes (moves_at) WHERE moves_at IS NOT NULL;

CREATE TABLE first_answers (
    call BLOB PRIMARY KEY CHECK (length(call) = 16),
    answer BLOB NOT NULL,
    user_id BLOB,
    ends_sessions INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE resolutions (
    attestation_id TEXT PRIMARY KEY,
    user_id BLOB NOT NULL,
    is_new_user INTEGER NOT NULL,
    restored INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    call BLOB,
    made_at INTEGER
) WITHOUT ROWID;

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lane TEXT NOT NULL,
    kind TEXT NOT NULL,
    user_id BLOB NOT NULL,
    payload TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    network TEXT NOT NULL,
    turn INTEGER NOT NULL
);
CREATE INDEX outbox_by_due ON outbox (lane, next_attempt_at);
CREATE INDEX outbox_by_user ON outbox (user_id);
CREATE INDEX outbox_by_place ON outbox (lane, rank, turn) WHERE next_attempt_at < 9223372036854775807;
CREATE INDEX outbox_by_network ON outbox (network, rank) WHERE network <> '';

CREATE TABLE removed_users (id BLOB PRIMARY KEY CHECK (length(id) = 16)) WITHOUT ROWID;

CREATE TABLE decision_count (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL);
INSERT INTO decision_count (id, last) VALUES (1, 0);
CREATE TABLE decisions (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject BLOB NOT NULL,
    detail TEXT
);
CREATE INDEX decisions_by_subject ON decisions (subject);
CREATE TABLE audit_moved (stream_id TEXT PRIMARY KEY, moved_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX audit_moved_by_time ON audit_moved (moved_at);

-- The epoch below which nothing is valid, and whether the file was restored since the last start.
-- What remains of users who were merged into others, until those are removed.
CREATE TABLE merged_users (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    into_user BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    pseudonym BLOB NOT NULL CHECK (length(pseudonym) = 16),
    epoch INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX merged_users_by_user ON merged_users (into_user);

CREATE TABLE restore_floor (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL, is_new INTEGER NOT NULL);
INSERT INTO restore_floor VALUES (1, 0, 0);

-- What a restored file must follow: users who were removed, and decisions that were made, after its backup.
CREATE TABLE ordered_removals (id BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE ordered_decisions (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject BLOB NOT NULL, detail TEXT);
CREATE TABLE decisions_order (id INTEGER PRIMARY KEY CHECK (id = 1));

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
    subject BLOB NOT NULL,
    method TEXT,
    session_id TEXT,
    request_id TEXT,
    detail TEXT
);

-- The devices and networks from which users have signed in. `kind` is a `KnownOrigin.Kind`, and `tag` a keyed hash, which differs from user
-- to user. A row that came with a merged account has the hash for that one, whose id is `tagged_for`.
CREATE TABLE known_origins (
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    tag BLOB NOT NULL CHECK (length(tag) = 16),
    seen_at INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    tagged_for BLOB,
    PRIMARY KEY (user_id, kind, tag)
) WITHOUT ROWID;

-- Back ends and jobs with tokens of their own. A secret is stored as its SHA-256, and a key as a public JWK.
CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    sid BLOB NOT NULL UNIQUE CHECK (length(sid) = 12),
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    secret BLOB NOT NULL CHECK (length(secret) = 32),
    secret_at INTEGER NOT NULL,
    older_secret BLOB CHECK (length(older_secret) = 32),
    older_secret_at INTEGER,
    key TEXT,
    older_key TEXT,
    revoked_at INTEGER
) WITHOUT ROWID;

CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
-- Counts of events by the hour, for the operator's charts; they are about no person.
CREATE TABLE hourly_counts (hour INTEGER NOT NULL, series TEXT NOT NULL, amount INTEGER NOT NULL, PRIMARY KEY (hour, series)) WITHOUT ROWID;

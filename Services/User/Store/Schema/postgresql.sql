-- The tables of user-service in PostgreSQL; times are Unix seconds. Until the first release this is edited in place; afterwards steps are only added.

-- Large tables with data of users are vacuumed after fewer changes than by default, so that removed rows do not stay for long.
CREATE TABLE users (
    id bytea PRIMARY KEY CHECK (length(id) = 16),
    pseudonym bytea NOT NULL CHECK (length(pseudonym) = 16),
    name text COLLATE "C",
    attributes text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    is_active boolean NOT NULL,
    epoch bigint NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deletion_requested_at bigint,
    deletion_due_at bigint,
    is_for_review boolean NOT NULL,
    legacy_id text COLLATE "C",
    app_metadata text COLLATE "C",
    own_metadata text COLLATE "C",
    CHECK ((deletion_requested_at IS NULL) = (deletion_due_at IS NULL))
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
CREATE UNIQUE INDEX users_by_legacy_id ON users (legacy_id) WHERE legacy_id IS NOT NULL;
CREATE INDEX users_by_role ON users (role) WHERE role <> 'user';
CREATE INDEX users_by_deletion ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL;

CREATE TABLE identities (
    kind text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    tokens_from bigint,
    PRIMARY KEY (kind, value)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX identities_by_user ON identities (user_id, kind, created_at);

CREATE TABLE unverified_addresses (
    address text COLLATE "C" PRIMARY KEY,
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at bigint NOT NULL
);
CREATE INDEX unverified_addresses_by_user ON unverified_addresses (user_id);

CREATE TABLE resolutions (
    attestation_id text COLLATE "C" PRIMARY KEY,
    user_id bytea NOT NULL,
    is_new_user boolean NOT NULL,
    restored boolean NOT NULL,
    expires_at bigint NOT NULL,
    call bytea,
    made_at bigint
);

CREATE TABLE removed_users (id bytea PRIMARY KEY CHECK (length(id) = 16));

-- What remains of users who were merged into others, until those are removed.
CREATE TABLE merged_users (
    id bytea PRIMARY KEY CHECK (length(id) = 16),
    into_user bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    pseudonym bytea NOT NULL CHECK (length(pseudonym) = 16),
    epoch bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE INDEX merged_users_by_user ON merged_users (into_user);

CREATE TABLE restore_floor (id bigint PRIMARY KEY CHECK (id = 1), epoch bigint NOT NULL);
INSERT INTO restore_floor (id, epoch) VALUES (1, 0);

CREATE TABLE passwords (
    user_id bytea PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    hash text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    changed_at bigint
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE registrations (
    id bytea PRIMARY KEY CHECK (length(id) = 16),
    address text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    name text COLLATE "C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX registrations_by_address ON registrations (address, created_at);
CREATE TABLE invitations (
    kind text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    id bytea NOT NULL CHECK (length(id) = 16),
    role text COLLATE "C" NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (kind, value)
);
CREATE TABLE account_links (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    purpose text COLLATE "C" NOT NULL,
    subject bytea NOT NULL CHECK (length(subject) = 16),
    address text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX account_links_by_subject ON account_links (subject);
-- Changes of identities that happen later, unless the user objects. Until it is verified, a change has no time.
CREATE TABLE pending_changes (
    id text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    other_id bytea REFERENCES users (id) ON DELETE CASCADE,
    number text COLLATE "C",
    payload text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    moves_at bigint
);
CREATE INDEX pending_changes_by_user ON pending_changes (user_id);
CREATE INDEX pending_changes_by_other ON pending_changes (other_id) WHERE other_id IS NOT NULL;
CREATE UNIQUE INDEX pending_changes_by_number ON pending_changes (number) WHERE number IS NOT NULL;
CREATE INDEX pending_changes_by_time ON pending_changes (moves_at) WHERE moves_at IS NOT NULL;
CREATE TABLE first_answers (
    call bytea PRIMARY KEY CHECK (length(call) = 16),
    answer bytea NOT NULL,
    user_id bytea,
    ends_sessions boolean NOT NULL,
    expires_at bigint NOT NULL
);

CREATE TABLE apple_tokens (
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    subject text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    payload text COLLATE "C" NOT NULL,
    signed_in_at bigint NOT NULL,
    PRIMARY KEY (user_id, subject, client_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Identities that users were given after the moment to which a restore went back, until user-service gives them again.
CREATE TABLE restored_identities (
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sealed text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    PRIMARY KEY (user_id, sealed)
);

-- Accounts whose changes are held back: after a report or several new devices until an operator has cleared them, after a lockout until
-- `ends_at`.
CREATE TABLE reviews (
    user_id bytea PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    since bigint NOT NULL,
    opened_at bigint NOT NULL,
    ends_at bigint
);

CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    user_id bytea NOT NULL,
    payload text COLLATE "C" NOT NULL,
    attempts bigint NOT NULL DEFAULT 0,
    next_attempt_at bigint NOT NULL,
    created_at bigint NOT NULL,
    rank bigint NOT NULL,
    network text COLLATE "C" NOT NULL,
    turn bigint NOT NULL
);
CREATE INDEX outbox_by_due ON outbox (lane, next_attempt_at);
CREATE INDEX outbox_by_user ON outbox (user_id);
CREATE INDEX outbox_by_place ON outbox (lane, rank, turn) WHERE next_attempt_at < 9223372036854775807;
CREATE INDEX outbox_by_network ON outbox (network, rank) WHERE network <> '';

-- A transaction that records a decision has the row until its COMMIT, so that whoever has read up to a number misses none before it.
CREATE TABLE decision_count (id bigint PRIMARY KEY CHECK (id = 1), last bigint NOT NULL);
INSERT INTO decision_count (id, last) VALUES (1, 0);
CREATE TABLE decisions (
    sequence bigint PRIMARY KEY,
    at bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    subject bytea NOT NULL,
    detail text COLLATE "C"
);
CREATE INDEX decisions_by_subject ON decisions (subject);

CREATE TABLE audit_moved (stream_id text COLLATE "C" PRIMARY KEY, moved_at bigint NOT NULL);
CREATE INDEX audit_moved_by_time ON audit_moved (moved_at);

-- Records are only added, each linked by its hash to the one before it in its slot. A connection continues one slot.
CREATE TABLE audit_slots (
    number bigint PRIMARY KEY,
    newest bigint NOT NULL,
    newest_hash bytea NOT NULL,
    removed bigint NOT NULL,
    removed_hash bytea NOT NULL
) WITH (fillfactor = 20);
CREATE TABLE audit (
    slot bigint NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    at bigint NOT NULL,
    event text COLLATE "C" NOT NULL,
    subject bytea NOT NULL,
    method text COLLATE "C",
    session_id text COLLATE "C",
    request_id text COLLATE "C",
    detail text COLLATE "C",
    PRIMARY KEY (slot, number)
);

CREATE TABLE known_origins (
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    tag bytea NOT NULL CHECK (length(tag) = 16),
    seen_at bigint NOT NULL,
    first_seen_at bigint NOT NULL,
    tagged_for bytea,
    PRIMARY KEY (user_id, kind, tag)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE clients (
    id text COLLATE "C" PRIMARY KEY,
    sid bytea NOT NULL UNIQUE CHECK (length(sid) = 12),
    role text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    secret bytea NOT NULL CHECK (length(secret) = 32),
    secret_at bigint NOT NULL,
    older_secret bytea CHECK (length(older_secret) = 32),
    older_secret_at bigint,
    key text COLLATE "C",
    older_key text COLLATE "C",
    revoked_at bigint
);

CREATE TABLE leases (name text COLLATE "C" PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL);

-- Counts of events by the hour, for the operator's charts; they are about no person.
CREATE TABLE hourly_counts (
    hour bigint NOT NULL,
    series text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (hour, series)
);

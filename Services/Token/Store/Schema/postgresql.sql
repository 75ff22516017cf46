-- The tables of token-service in PostgreSQL; times are Unix seconds. Until the first release this is edited in place; afterwards steps are only added.

-- The last block of row numbers of sessions that was given out; no number is used twice.
CREATE TABLE session_blocks (id bigint PRIMARY KEY CHECK (id = 1), last bigint NOT NULL);
INSERT INTO session_blocks (id, last) VALUES (1, 0);

-- A rotation changes no indexed column and finds room on its row's page, so that it writes no index (a "HOT" update), and the
-- row before it goes with the next look at the page.
--
-- The columns of marks bound how old a token is that another tab of a page may present; `page_hash` is null for the sessions
-- of apps. `expires_at` of an epoch is null for existing users. `actor` is the user who acts as
-- the session's user. `factors` has bits of `AuthenticationFactors`: all, and above them those at
-- `authenticated_at`; it is null for those of `method`.
CREATE TABLE sessions (
    locator bigint PRIMARY KEY,
    sid bytea NOT NULL,
    user_id bytea NOT NULL,
    epoch bigint NOT NULL,
    dialect text COLLATE "C" NOT NULL,
    method text COLLATE "C" NOT NULL,
    current_hash bytea NOT NULL,
    previous_hash bytea NOT NULL,
    generation bigint NOT NULL,
    salt bytea NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    authenticated_at bigint NOT NULL,
    idle_expires_at bigint NOT NULL,
    absolute_expires_at bigint,
    access_expires_at bigint NOT NULL,
    is_revoked boolean NOT NULL DEFAULT false,
    reason bigint NOT NULL DEFAULT 0,
    late_repeats bigint NOT NULL DEFAULT 0,
    late_generation bigint NOT NULL DEFAULT 0,
    device text COLLATE "C",
    network text COLLATE "C",
    page_hash bytea,
    mark_generation bigint NOT NULL DEFAULT 0,
    marked_at bigint NOT NULL DEFAULT 0,
    older_mark_generation bigint NOT NULL DEFAULT 0,
    older_marked_at bigint NOT NULL DEFAULT 0,
    claims bytea NOT NULL,
    device_kind text COLLATE "C",
    actor bytea,
    factors bigint
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE UNIQUE INDEX sessions_by_sid ON sessions (sid);
CREATE INDEX sessions_by_user ON sessions (user_id, is_revoked);
CREATE INDEX sessions_by_page ON sessions (page_hash) WHERE page_hash IS NOT NULL;
CREATE INDEX sessions_by_actor ON sessions (actor) WHERE actor IS NOT NULL;

CREATE TABLE used_grants (
    id text COLLATE "C" PRIMARY KEY, session bigint NOT NULL, expires_at bigint NOT NULL
);

CREATE TABLE user_epochs (
    user_id bytea PRIMARY KEY, epoch bigint NOT NULL, version bigint NOT NULL DEFAULT 0, expires_at bigint,
    last_used_at bigint
);

CREATE TABLE restore_floor (id bigint PRIMARY KEY CHECK (id = 1), epoch bigint NOT NULL);
INSERT INTO restore_floor (id, epoch) VALUES (1, 0);

CREATE TABLE revocations (
    sid bytea PRIMARY KEY, reason bigint NOT NULL, access_expires_at bigint NOT NULL, published boolean NOT NULL
);
CREATE INDEX revocations_unpublished ON revocations (access_expires_at) WHERE published = false;

CREATE TABLE version_floors (
    sid bytea PRIMARY KEY, version bigint NOT NULL, access_expires_at bigint NOT NULL, published boolean NOT NULL
);
CREATE INDEX version_floors_unpublished ON version_floors (access_expires_at) WHERE published = false;

CREATE TABLE signing_keys (
    kid text COLLATE "C" PRIMARY KEY,
    algorithm text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    state_since bigint NOT NULL,
    created_at bigint NOT NULL,
    token_seconds bigint NOT NULL,
    sealed bytea NOT NULL
);
CREATE TABLE key_revocations (
    kid text COLLATE "C" PRIMARY KEY, holds_until bigint NOT NULL, published boolean NOT NULL
);

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
    user_id bytea,
    sid bytea,
    detail text COLLATE "C",
    PRIMARY KEY (slot, number)
);

CREATE TABLE leases (name text COLLATE "C" PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL);

-- Counts of events by the hour, for the operator's charts; they are about no person.
CREATE TABLE hourly_counts (
    hour bigint NOT NULL,
    series text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (hour, series)
);

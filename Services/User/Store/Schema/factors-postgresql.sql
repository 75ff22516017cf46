-- `key` is the SHA-256 of the credential's id, and `flags` has the bits of authenticator data.
CREATE TABLE passkeys (
    key bytea PRIMARY KEY CHECK (length(key) = 32),
    credential_id bytea NOT NULL,
    id bytea NOT NULL CHECK (length(id) = 16),
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    user_handle bytea NOT NULL,
    kind text COLLATE "C" NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    flags bigint NOT NULL,
    aaguid bytea NOT NULL,
    transports bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    active_from bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);

-- The secret is null while only `required` is set. `activated_at` may be later than now; `wrong_count` counts wrong codes in a row.
CREATE TABLE totp (
    user_id bytea PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret bytea,
    last_step bigint,
    activated_at bigint,
    required boolean NOT NULL,
    wrong_count bigint NOT NULL,
    guessed_at bigint NOT NULL
);

CREATE TABLE recovery_codes (
    user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code bytea NOT NULL CHECK (length(code) = 32),
    used_at bigint,
    PRIMARY KEY (user_id, code)
);

-- `key` is the SHA-256 of the credential's id, and `flags` has the bits of authenticator data.
CREATE TABLE passkeys (
    key BLOB PRIMARY KEY CHECK (length(key) = 32),
    credential_id BLOB NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    user_handle BLOB NOT NULL,
    kind TEXT NOT NULL,
    public_key BLOB NOT NULL,
    sign_count INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    aaguid BLOB NOT NULL,
    transports INTEGER NOT NULL,
    name TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    active_from INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) WITHOUT ROWID;
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);

-- The secret is null while only `required` is set. `activated_at` may be later than now; `wrong_count` counts wrong codes in a row.
CREATE TABLE totp (
    user_id BLOB PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret BLOB,
    last_step INTEGER,
    activated_at INTEGER,
    required INTEGER NOT NULL,
    wrong_count INTEGER NOT NULL,
    guessed_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE recovery_codes (
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code BLOB NOT NULL CHECK (length(code) = 32),
    used_at INTEGER,
    PRIMARY KEY (user_id, code)
) WITHOUT ROWID;

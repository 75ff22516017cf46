import SQLiteStore

/// The tables of `users.sqlite`; times are Unix seconds. Migrations are only ever added.
enum UserSchema {
    static let migrations =
        [
            SQLiteLeases.migration, users, identities, resolutions, audit, outbox, MovedAuditRows.migration,
            AuditChain.migration,
            RestoreFloor.migration, leanResolutions, identitiesInOrder, outboxLanes, OrderedRemovals.migration,
        ] + RemovalRows.migrations + [
            attributes, UnprovedAddressRows.migration, AccountRows.migration, reviewAccounts, legacyIDs, outboxPlaces,
            AccountRows.changeTimes, CanonicalNumbers.migration, OrderedDecisions.migration, DecisionRows.migration,
            ResolutionRows.calls, AppleTokenRows.migration,
        ]

    /// The users. Pseudonyms are random and never searched for, so they need no index. The oldest files have one, which only costs.
    private static let users = Migration(
        "users",
        """
        CREATE TABLE users (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            pseudonym BLOB NOT NULL CHECK (length(pseudonym) = 16),
            name TEXT,
            email TEXT,
            is_checker INTEGER NOT NULL,
            role TEXT NOT NULL,
            is_active INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            version INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            deletion_requested_at INTEGER,
            deletion_due_at INTEGER,
            CHECK ((deletion_requested_at IS NULL) = (deletion_due_at IS NULL))
        ) WITHOUT ROWID
        """)

    /// Adds the values that were set, as a JSON object. The value of `is_checker` is one of them now.
    ///
    /// Release 0.6 reads and writes `is_checker`, and its replicas may use this file during an upgrade or after a downgrade. The
    /// triggers keep both equal. A later migration will drop the triggers and the column.
    private static let attributes = Migration(
        "user attributes",
        """
        ALTER TABLE users ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';
        UPDATE users SET attributes = '{"isChecker":true}' WHERE is_checker <> 0;
        CREATE TRIGGER is_checker_follows_attributes AFTER UPDATE OF attributes ON users
            WHEN NEW.is_checker IS NOT (json_extract(NEW.attributes, '$.isChecker') IS 1)
            BEGIN
                UPDATE users SET is_checker = (json_extract(NEW.attributes, '$.isChecker') IS 1)
                WHERE id = NEW.id;
            END;
        CREATE TRIGGER attributes_follow_is_checker AFTER UPDATE OF is_checker ON users
            WHEN NEW.is_checker IS NOT (json_extract(NEW.attributes, '$.isChecker') IS 1)
            BEGIN
                UPDATE users SET attributes =
                    json_set(NEW.attributes, '$.isChecker', json(iif(NEW.is_checker, 'true', 'false')))
                WHERE id = NEW.id;
            END
        """)

    /// Marks accounts that the code for an app store's reviewers has created.
    private static let reviewAccounts = Migration(
        "review accounts", "ALTER TABLE users ADD COLUMN is_for_review INTEGER NOT NULL DEFAULT 0")

    /// Adds the ids of imported users in other systems. The index costs nothing for other users.
    private static let legacyIDs = Migration(
        "legacy ids",
        """
        ALTER TABLE users ADD COLUMN legacy_id TEXT;
        CREATE UNIQUE INDEX users_by_legacy_id ON users (legacy_id) WHERE legacy_id IS NOT NULL
        """)

    private static let identities = Migration(
        "identities",
        """
        CREATE TABLE identities (
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            PRIMARY KEY (kind, value)
        ) WITHOUT ROWID;
        CREATE INDEX identities_by_user ON identities (user_id, kind)
        """)

    private static let resolutions = Migration(
        "resolutions",
        """
        CREATE TABLE resolutions (
            attestation_id TEXT PRIMARY KEY,
            user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            is_new_user INTEGER NOT NULL,
            restored INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX resolutions_by_expiry ON resolutions (expires_at);
        CREATE INDEX resolutions_by_user ON resolutions (user_id)
        """)

    private static let audit = Migration(
        "audit",
        """
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            event TEXT NOT NULL,
            subject BLOB NOT NULL,
            method TEXT,
            session_id TEXT,
            request_id TEXT,
            detail TEXT
        );
        CREATE TRIGGER audit_rows_do_not_change BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'audit rows do not change'); END
        """)

    private static let outbox = Migration(
        "outbox",
        """
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            user_id BLOB NOT NULL,
            payload TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX outbox_by_due ON outbox (next_attempt_at);
        CREATE INDEX outbox_by_user ON outbox (user_id)
        """)

    /// Adds a lane for each receiver, so that an unavailable one does not delay the messages for others.
    private static let outboxLanes = Migration(
        "outbox lanes",
        """
        ALTER TABLE outbox ADD COLUMN lane TEXT NOT NULL DEFAULT 'token';
        DROP INDEX outbox_by_due;
        CREATE INDEX outbox_by_due ON outbox (lane, next_attempt_at)
        """)

    /// Adds rank and turn, by which mails are sent. Release 0.6 writes mails without them, so that they are sent first.
    private static let outboxPlaces = Migration(
        "outbox places",
        """
        ALTER TABLE outbox ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE outbox ADD COLUMN network TEXT NOT NULL DEFAULT '';
        ALTER TABLE outbox ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX outbox_by_place ON outbox (lane, rank, turn) WHERE next_attempt_at < 9223372036854775807;
        CREATE INDEX outbox_by_network ON outbox (network, rank) WHERE network <> ''
        """)

    /// Drops the reference to a user and the indexes of `resolutions`. Rows expire, and may outlive their users. The indexes by
    /// expiry and by user were a quarter of what a sign-in wrote.
    private static let leanResolutions = Migration(
        "lean resolutions",
        """
        CREATE TABLE lean_resolutions (
            attestation_id TEXT PRIMARY KEY,
            user_id BLOB NOT NULL,
            is_new_user INTEGER NOT NULL,
            restored INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO lean_resolutions SELECT * FROM resolutions;
        DROP TABLE resolutions;
        ALTER TABLE lean_resolutions RENAME TO resolutions
        """)

    /// Changes the index so that it finds a user's oldest phone number without reading all their phone numbers.
    private static let identitiesInOrder = Migration(
        "identities in order",
        """
        DROP INDEX identities_by_user;
        CREATE INDEX identities_by_user ON identities (user_id, kind, created_at)
        """)
}

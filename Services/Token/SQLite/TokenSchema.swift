import SQLiteStore

/// The tables of `tokens.sqlite`. Migrations are only ever added.
enum TokenSchema {
    static let migrations = [
        tokens, SQLiteLeases.migration, SQLiteSigningKeys.migration, AuditChain.migration, RestoreFloor.migration,
        rights,
        withoutExpiryIndexes, forgottenEpochs, liveSessionsTogether, lateRepeats,
        pageSessions, sessionsByPage, rotationMarks,
    ]

    /// Adds the marks that bound how old a token is that another tab of a page may present; zeros for the sessions of apps.
    private static let rotationMarks = Migration(
        "rotation marks",
        """
        ALTER TABLE sessions ADD COLUMN mark_generation INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sessions ADD COLUMN marked_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sessions ADD COLUMN older_mark_generation INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sessions ADD COLUMN older_marked_at INTEGER NOT NULL DEFAULT 0
        """)

    /// Finds the session of a page that signs in again. The sessions of apps are not in the index.
    private static let sessionsByPage = Migration(
        "sessions by page", "CREATE INDEX sessions_by_page ON sessions (page_hash) WHERE page_hash IS NOT NULL")

    /// Adds the hash of the secret of a page's session; null for the sessions of apps.
    private static let pageSessions = Migration("page sessions", "ALTER TABLE sessions ADD COLUMN page_hash BLOB")

    /// Adds the number of successive generations of a session that were repeated late, and the last of them.
    private static let lateRepeats = Migration(
        "late repeats",
        """
        ALTER TABLE sessions ADD COLUMN late_repeats INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sessions ADD COLUMN late_generation INTEGER NOT NULL DEFAULT 0
        """)

    /// Stores a user's live sessions next to each other. A user who signs in ten thousand times has a hundred of them, and only
    /// those are read when another one is opened.
    private static let liveSessionsTogether = Migration(
        "live sessions together",
        """
        DROP INDEX sessions_by_user;
        CREATE INDEX sessions_by_user ON sessions (user_id, is_revoked)
        """)

    /// Adds the time at which the epoch of a removed user is forgotten; null for existing users.
    private static let forgottenEpochs = Migration(
        "forgotten epochs", "ALTER TABLE user_epochs ADD COLUMN expires_at INTEGER")

    /// Removes the indexes of expiry, since expired rows are found without them. Each of these cost every write of its table one
    /// more page.
    private static let withoutExpiryIndexes = Migration(
        "without expiry indexes",
        """
        DROP INDEX spent_grants_by_expiry;
        DROP INDEX revocations_by_expiry;
        DROP INDEX version_floors_by_expiry
        """)

    /// Adds the versions of users' rights: the highest of each user, and the floors that gateways have to know.
    private static let rights = Migration(
        "rights",
        """
        ALTER TABLE user_epochs ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE version_floors (
            sid BLOB PRIMARY KEY,
            version INTEGER NOT NULL,
            access_expires_at INTEGER NOT NULL,
            published INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX version_floors_unpublished ON version_floors (access_expires_at) WHERE published = 0;
        CREATE INDEX version_floors_by_expiry ON version_floors (access_expires_at)
        """)

    /// Creates the tables. `sessions` has one row for each session, with blobs of fixed width, so that a rotation rewrites its row
    /// in place and the pages stay full. Row numbers are never used twice, because an old token must not match another session.
    private static let tokens = Migration(
        "tokens",
        """
        CREATE TABLE sessions (
            locator INTEGER PRIMARY KEY AUTOINCREMENT,
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
            idle_expires_at INTEGER NOT NULL,
            absolute_expires_at INTEGER,
            access_expires_at INTEGER NOT NULL,
            is_revoked INTEGER NOT NULL DEFAULT 0,
            reason INTEGER NOT NULL DEFAULT 0,
            device TEXT,
            network TEXT,
            claims BLOB NOT NULL
        );
        CREATE UNIQUE INDEX sessions_by_sid ON sessions (sid);
        CREATE INDEX sessions_by_user ON sessions (user_id);

        CREATE TABLE spent_grants (id TEXT PRIMARY KEY, session INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX spent_grants_by_expiry ON spent_grants (expires_at);

        CREATE TABLE user_epochs (user_id BLOB PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID;

        CREATE TABLE revocations (
            sid BLOB PRIMARY KEY,
            reason INTEGER NOT NULL,
            access_expires_at INTEGER NOT NULL,
            published INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX revocations_unpublished ON revocations (access_expires_at) WHERE published = 0;
        CREATE INDEX revocations_by_expiry ON revocations (access_expires_at);

        CREATE TABLE signing_keys (
            kid TEXT PRIMARY KEY,
            algorithm TEXT NOT NULL,
            state TEXT NOT NULL,
            state_since INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            event TEXT NOT NULL,
            user_id BLOB,
            sid BLOB,
            detail TEXT
        );
        """)
}

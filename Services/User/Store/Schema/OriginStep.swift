import Storage

/// The step that adds the devices and networks from which users have signed in. `kind` is a `KnownOrigin.Kind`, and `tag` a keyed hash.
enum OriginStep {
    private static let name = "known origins"

    static let file = Migration(
        name,
        """
        CREATE TABLE known_origins (
            user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            tag BLOB NOT NULL CHECK (length(tag) = 16),
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, kind, tag)
        ) WITHOUT ROWID;
        """)

    static let schema = Migration(
        name,
        """
        CREATE TABLE known_origins (
            user_id bytea NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            kind text COLLATE "C" NOT NULL,
            tag bytea NOT NULL CHECK (length(tag) = 16),
            seen_at bigint NOT NULL,
            PRIMARY KEY (user_id, kind, tag)
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);
        """)
}

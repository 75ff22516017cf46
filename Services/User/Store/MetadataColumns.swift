import Storage

/// The columns of `users` with the metadata, as canonical JSON. NULL is the empty object, so that a user without metadata has the row
/// that they had.
enum MetadataColumns {
    /// The step that adds the columns to a file.
    static let fileStep = Migration(
        "user metadata",
        """
        ALTER TABLE users ADD COLUMN app_metadata TEXT;
        ALTER TABLE users ADD COLUMN own_metadata TEXT;
        """)

    /// The step that adds the columns to a schema.
    static let schemaStep = Migration(
        "user metadata",
        """
        ALTER TABLE users ADD COLUMN app_metadata text COLLATE "C";
        ALTER TABLE users ADD COLUMN own_metadata text COLLATE "C";
        """)
}

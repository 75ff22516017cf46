import Storage

/// The rights of the connected role beyond reading and writing rows.
struct RoleRights: Sendable, Equatable {
    let role: String
    let isSuperuser: Bool
    /// Whether the schema or a table of it belongs to the role, or to a role whose rights it has.
    let isOwner: Bool

    init(role: String, isSuperuser: Bool, isOwner: Bool) {
        (self.role, self.isSuperuser, self.isOwner) = (role, isSuperuser, isOwner)
    }

    init(of session: Session) throws {
        let row = try session.rows(
            """
            SELECT current_user::text, current_setting('is_superuser') = 'on', EXISTS (
                SELECT 1 FROM pg_namespace AS n LEFT JOIN pg_class AS c ON c.relnamespace = n.oid
                WHERE n.nspname = $1::text
                    AND (pg_has_role(n.nspowner, 'USAGE') OR pg_has_role(c.relowner, 'USAGE')))
            """, session.schema
        ).first
        self.init(
            role: row?.text(0) ?? "", isSuperuser: row?.boolean(1) ?? false, isOwner: row?.boolean(2) ?? false)
    }

    /// Refuses a role that cannot change the tables.
    func requireOwner(of schema: String) throws(StorageError) {
        guard !isOwner else { return }
        throw StorageError(.other, "the role \(role) does not own the schema \(schema). Name the owner with --admin")
    }

    /// The rights that a service does not use, or `nil` if there are none.
    func excess(over schema: String) -> String? {
        if isSuperuser { return "the role \(role) is a superuser" }
        return isOwner ? "the role \(role) owns the schema \(schema) or a table in it" : nil
    }
}

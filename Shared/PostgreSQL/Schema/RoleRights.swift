import Storage

/// The rights of the connected role beyond those that `latchkeyctl database migrate` grants to a service.
///
/// Rights that every role has by PUBLIC on databases and in the schema `public` do not count.
struct RoleRights: Sendable, Equatable {
    /// The number of findings of each kind that are shown.
    static let shownMax = 3

    let role: String
    /// Whether the schema or a table of it belongs to the role, or to a role whose rights it has.
    let isOwner: Bool
    /// The rights and memberships that a service does not need, worded to follow the role's name.
    let excess: [String]

    /// - Parameter unchangedTables: the tables whose rows the service never changes.
    init(of session: Session, unchangedTables: [String] = []) throws {
        let rows = try session.rows(
            """
            SELECT current_user::text, rolsuper, EXISTS (
                SELECT 1 FROM pg_namespace AS n LEFT JOIN pg_class AS c ON c.relnamespace = n.oid
                WHERE n.nspname = $1::text
                    AND (pg_has_role(n.nspowner, 'USAGE') OR pg_has_role(c.relowner, 'USAGE')))
            FROM pg_roles WHERE rolname = current_user
            """, session.schema
        )
        role = rows.first?.text(0) ?? ""
        isOwner = rows.first?.boolean(2) ?? false
        guard rows.first?.boolean(1) != true else {
            excess = ["is a superuser"]
            return
        }
        let found = try session.results(RoleExcess.statements(session.schema, unchangedTables: unchangedTables))
        excess = found.flatMap { $0.map { $0.text(0) } }
    }

    /// Refuses a role that cannot change the tables.
    func requireOwner(of schema: String) throws(StorageError) {
        guard !isOwner else { return }
        throw StorageError(.other, "the role \(role) does not own the schema \(schema). Name the owner with --admin")
    }

    /// The rights that a service does not use, as a line for the operator, or `nil` if there are none.
    var finding: String? { excess.isEmpty ? nil : "the role \(role) " + excess.joined(separator: ", ") }
}

/// The rights on tables that a service's role does not get, although it gets those of its kind on all other tables.
enum WithheldRights {
    /// The tables that describe the schema itself, which only its owner writes.
    static let ownersTables = ["schema_migrations", FileCopy.table, ServerRecord.table]

    /// Returns the withheld privileges with their tables.
    static func all(unchangedTables: [String]) -> [(table: String, privileges: [String])] {
        ownersTables.map { ($0, ["INSERT", "UPDATE", "DELETE"]) } + unchangedTables.map { ($0, ["UPDATE"]) }
    }
}

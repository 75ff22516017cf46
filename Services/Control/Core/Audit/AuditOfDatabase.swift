import CryptoPrimitives
import Policies
import PostgreSQL
import ServiceKit
import Storage

/// The check of the audits in PostgreSQL.
struct AuditOfDatabase {
    private let settings: ProcessSettings
    /// `nil` for the databases of the services.
    private let url: DatabaseURL?

    static func isURL(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

    /// - Throws: `CommandFailure` for a URL that is invalid, or contains a password, which other users of the host could read.
    init(_ text: String?) throws {
        settings = try DatabaseSchema.settings()
        do throws(DatabaseURL.Problem) {
            url = try text.map { (text) throws(DatabaseURL.Problem) in try DatabaseURL(text) }
            if settings.environment == .production { try url?.requireProduction() }
        } catch {
            throw CommandFailure(description: "the URL \(error)")
        }
        guard url?.hasPassword != true else {
            throw CommandFailure(
                description: "the URL contains a password, which other users of this host can read. "
                    + "Put it into the secret \(DatabaseSchema.adminPassword)")
        }
    }

    /// Returns the lines to print: one for each slot, and one for each audit.
    ///
    /// - Throws: `CommandFailure` with the first fault.
    func verify() throws -> [String] {
        let all = [DatabaseSchema.token, .user]
        let schemas = url == nil ? DatabaseSchema.given(in: settings) : all
        guard !schemas.isEmpty else {
            throw CommandFailure(
                description: "name a file or a URL, or set TOKEN_DATABASE_URL and USER_DATABASE_URL as for the services"
            )
        }
        let audits = try schemas.map { (schema: $0, found: try verification(of: $0)) }
        let missing = audits.filter { $0.found == nil }.map { Self.missing($0.schema) }
        // A database that a URL names may be one service's, and a role may read one schema only.
        guard missing.isEmpty || url != nil && missing.count < audits.count else {
            throw CommandFailure(description: missing.joined(separator: "\n"))
        }
        return audits.flatMap { schema, found in found.map { Self.lines($0, schema) } ?? [Self.missing(schema)] }
    }

    private static func missing(_ schema: DatabaseSchema) -> String {
        "\(schema.name): is not there, or the role may not read it"
    }

    private func verification(of schema: DatabaseSchema) throws -> AuditVerification? {
        let configuration = PostgreSQLConfiguration(
            url: try url ?? PostgreSQLConfiguration.url(settings, schema.names), schema: schema.name,
            isProduction: settings.environment == .production, durability: .unchecked,
            password: try password(of: schema))
        do throws(StorageError) {
            return try WholeSchema(configuration, migrations: [], isAlone: false).snapshot(AuditVerification.run)
        } catch {
            throw CommandFailure(description: "\(schema.name): \(error.message)")
        }
    }

    /// Returns the function that reads the password of the role.
    private func password(of schema: DatabaseSchema) throws -> @Sendable () throws -> String? {
        let owner = try DatabaseSchema.given(in: settings).first { [settings] in
            try url == nil ? $0.name == schema.name : PostgreSQLConfiguration.url(settings, $0.names).user == url?.user
        }
        let (secrets, name) = (settings.secrets, owner?.names.password ?? DatabaseSchema.adminPassword)
        return { try secrets.password(name)?.value }
    }

    private static func lines(_ found: AuditVerification, _ schema: DatabaseSchema) -> [String] {
        let slots = found.slots.map {
            "\(schema.name): slot \($0.number): \($0.records) rows, newest \($0.newest) \(Hex.encode($0.newestHash))"
        }
        let count = found.slots.reduce(0) { $0 + $1.records }
        return slots + ["\(schema.name): ok \(count) rows in \(found.slots.count) slots"]
    }
}

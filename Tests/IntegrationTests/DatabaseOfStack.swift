import TestSupport
import Testing

/// A migrated database whose services have roles of their own, on a server that asks for passwords.
struct DatabaseOfStack: Sendable {
    @TaskLocal static var current: DatabaseOfStack?

    static let password = "a password of thirty-two letters"
    static let secrets = ["token_database_password": password + "\n", "user_database_password": password + "\n"]

    let server: PostgreSQLServer
    private let name: String

    init(_ server: PostgreSQLServer) async throws {
        self.init(server, named: "postgres")
        _ = try await server.psql("ALTER ROLE postgres PASSWORD '\(Self.password)'")
        let migrated = try await migrate()
        try #require(migrated.isSuccess, "\(migrated.output)")
    }

    private init(_ server: PostgreSQLServer, named name: String) { (self.server, self.name) = (server, name) }

    func url(_ role: String) -> String { "postgres://\(role)@127.0.0.1:\(server.port)/\(name)" }

    /// The settings of the services. In uat nothing migrates by itself.
    var environment: [String: String] {
        [
            "LATCHKEY_ENV": "uat", "TOKEN_DATABASE_URL": url("token_role"), "USER_DATABASE_URL": url("user_role"),
            "TOKEN_DATABASE_CONNECTIONS": "4",
        ]
    }

    /// Runs `latchkeyctl database migrate` as an operator does.
    func migrate() async throws -> Shell.Outcome { try await control("database migrate --admin postgres") }

    /// Runs a command of latchkeyctl with the services' settings and all passwords.
    ///
    /// - Parameter changes: settings that replace the services'.
    func control(_ arguments: String, changing changes: [String: String] = [:]) async throws -> Shell.Outcome {
        try await Shell.run(
            """
            secrets=$(mktemp -d) && trap 'rm -r "$secrets"' EXIT && umask 077
            for name in token user; do echo '\(Self.password)' >"$secrets/${name}_database_password"; done
            echo '\(Self.password)' >"$secrets/database_admin_password"
            LATCHKEY_SECRETS_DIR=$secrets '\(LatchkeyStack.binaries)/latchkeyctl' \(arguments)
            """, in: "/", environment: environment.merging(changes) { $1 })
    }

    /// Writes the database as it is now to a file.
    func dump(to file: String) async throws {
        // An older psql does not know the command, whose word differs each time.
        let portable = "sed -E -i '/^\\\\(un)?restrict /d' '\(file)'"
        let dumped = try await Shell.run("pg_dump \(place) -f '\(file)' '\(name)' && \(portable)", in: "/")
        try #require(dumped.isSuccess, "\(dumped.output)")
    }

    /// Returns the columns of the services' tables, each with its table and type.
    func columns() async throws -> Set<String> {
        let rows = try await server.psql(
            """
            SELECT table_schema, table_name, column_name, data_type, is_nullable FROM information_schema.columns
            WHERE table_schema IN ('latchkey_token', 'latchkey_user')
            """, database: name)
        return Set(rows.split(separator: "\n").map(String.init))
    }

    /// Makes another database of a dump.
    func restored(from file: String) async throws -> DatabaseOfStack {
        let copy = DatabaseOfStack(server, named: "restored")
        _ = try await server.psql("CREATE DATABASE \(copy.name)")
        let made = try await Shell.run("psql \(place) -qXv ON_ERROR_STOP=1 -f '\(file)' '\(copy.name)'", in: "/")
        try #require(made.isSuccess, "\(made.output)")
        return copy
    }

    /// Returns the same database on another server.
    func moved(to server: PostgreSQLServer) -> DatabaseOfStack { DatabaseOfStack(server, named: name) }

    /// Runs `body` while nothing can write to a table.
    func withoutWrites(to table: String, _ body: () async throws -> Void) async throws {
        let wait = "pg_sleep(60)"
        let holder = Task {
            do {
                _ = try await server.psql("BEGIN; LOCK TABLE \(table) IN SHARE MODE; SELECT \(wait)", database: name)
            } catch is PostgreSQLServer.Problem {}
        }
        let holders = "SELECT count(*) FROM pg_locks WHERE relation = '\(table)'::regclass AND mode = 'ShareLock'"
        try await eventually("\(table) is locked") {
            try await server.psql("\(holders) AND granted", database: name) == "1"
        }
        try await body()
        _ = try await server.psql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE query LIKE '%\(wait)%' AND pid <> pg_backend_pid()
            """)
        try await holder.value
    }

    private var place: String { "-h '\(server.directory)' -p \(server.port) -U postgres" }
}

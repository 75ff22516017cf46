import Storage

/// The version and the settings that a server reports when a connection begins.
struct ServerFacts: Sendable, Equatable {
    /// The version as a number: 150018 is 15.18.
    var version: Int
    /// The number of the server's process that serves the connection.
    var process: Int64
    /// The settings that keep an acknowledged commit, by their names.
    var settings: [String: String]

    private static let names = [
        "fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names", encoding,
    ]
    private static let encoding = "server_encoding"

    init(version: Int, process: Int64 = 0, settings: [String: String]) {
        (self.version, self.process, self.settings) = (version, process, settings)
    }

    init(of connection: PQConnection, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        let columns = Self.names.map { "current_setting('\($0)')" }.joined(separator: ", ")
        let results = try connection.run([Statement("SELECT pg_backend_pid(), \(columns)")], until: deadline)
        let rows = Rows(results.first)
        guard let row = rows.first else { throw PostgreSQLError(.lost, "the server does not state its settings") }
        version = connection.serverVersion
        process = row.integer(0)
        settings = Dictionary(uniqueKeysWithValues: zip(Self.names, 1...).map { ($0, row.text($1)) })
    }

    /// Refuses a server that is too old, a database of another encoding, and a server that can lose an acknowledged commit.
    func require(_ durability: PostgreSQLConfiguration.Durability) throws(StorageError) {
        guard version >= PostgreSQLLimits.oldestServer else {
            throw StorageError(.other, "the server is PostgreSQL \(version / 10_000); 15 is the oldest that works")
        }
        try Self.requireEncoding(settings[Self.encoding] ?? "")
        guard durability == .settings, let weakness else { return }
        throw StorageError(.other, "\(weakness), so that the server can lose an acknowledged commit")
    }

    /// Refuses a database that cannot contain every name: SQL_ASCII too, which checks none.
    static func requireEncoding(_ encoding: String) throws(StorageError) {
        guard encoding != "UTF8" else { return }
        throw StorageError(
            .other,
            "the database's encoding is \(encoding); it has to be UTF8. Make another database: CREATE DATABASE name "
                + "ENCODING 'UTF8' TEMPLATE template0")
    }

    /// The setting by which the server can lose an acknowledged commit, or `nil` if there is none.
    var weakness: String? {
        for name in ["fsync", "full_page_writes"] where settings[name] != "on" {
            return "\(name) is \(settings[name] ?? "not set")"
        }
        let commit = settings["synchronous_commit"] ?? ""
        // With a standby, these two do not wait until the commit is on its disk.
        let isWeak = hasStandby ? ["off", "local", "remote_write"].contains(commit) : commit == "off"
        return isWeak ? "synchronous_commit is \(commit)" : nil
    }

    /// Whether commits wait for a standby.
    var hasStandby: Bool { settings["synchronous_standby_names"]?.isEmpty == false }
}

extension PQConnection {
    /// Returns the encoding of the database; before `enterPipelineMode`.
    func encoding(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> String {
        Rows(try runScript("SHOW server_encoding", until: deadline)).first?.text(0) ?? ""
    }
}

import Foundation

extension PostgreSQLServer {
    /// The settings of a server that archives its write-ahead log, so that a copy can be recovered to any moment.
    package static let archiving = [
        "archive_mode = on",
        "archive_command = 'mkdir -p ../archive && cp %p ../archive/%f.part && mv ../archive/%f.part ../archive/%f'",
    ]

    /// Names this moment in the write-ahead log.
    package func mark(_ moment: String) async throws {
        _ = try await psql("SELECT pg_create_restore_point('\(moment)')")
    }

    /// Starts a copy made by `withBaseBackup` and returns once it has the data that the server had at the named moment.
    package func recover(from server: PostgreSQLServer) async throws {
        let file = try await server.psql("SELECT pg_walfile_name(pg_switch_wal())")
        try await eventually("the log is archived") {
            FileManager.default.fileExists(atPath: "\(server.directory)/archive/\(file)")
        }
        try Data().write(to: URL(filePath: directory + "/data/recovery.signal"))
        try await launch()
        try await eventually("the copy has reached its moment") { await isPrimary() }
    }
}

/// Runs `body` with a copy of a running server that is not started yet, and is gone with all its files on every way out.
///
/// - Parameter moment: The name of the moment to which the copy will be recovered.
package func withBaseBackup<Result>(
    of server: PostgreSQLServer, until moment: String, _ body: (PostgreSQLServer) async throws -> Result
) async throws -> Result {
    let copy = try await PostgreSQLServer(
        port: FreePort.find(),
        settings: [
            "restore_command = 'cp \(server.directory)/archive/%f %p'", "recovery_target_name = '\(moment)'",
            "recovery_target_action = promote",
        ])
    do {
        try await copy.copy(server, follows: false)
        let result = try await body(copy)
        try await copy.stop()
        return result
    } catch {
        try await copy.stop()
        throw error
    }
}

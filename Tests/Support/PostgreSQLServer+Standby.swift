import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs `body` with a streaming standby of a server, which is gone with all its files on every way out.
///
/// The standby is named `standby`, for the server's `synchronous_standby_names`.
package func withStandby<Result>(
    of primary: PostgreSQLServer, _ body: (PostgreSQLServer) async throws -> Result
) async throws -> Result {
    let standby = try await PostgreSQLServer.standby(of: primary)
    do {
        let result = try await body(standby)
        try await standby.stop()
        return result
    } catch {
        try await standby.stop()
        throw error
    }
}

extension PostgreSQLServer {
    /// Copies a running server and follows it.
    fileprivate static func standby(of primary: PostgreSQLServer) async throws -> PostgreSQLServer {
        let standby = try await PostgreSQLServer(port: FreePort.find(), settings: [])
        do {
            try await standby.copy(primary, follows: true)
            try await standby.launch()
            return standby
        } catch {
            try await standby.stop()
            throw error
        }
    }

    /// Copies the files of a running server.
    ///
    /// - Parameter follows: whether this server, once started, follows the other one as its standby.
    func copy(_ primary: PostgreSQLServer, follows: Bool) async throws {
        let source = "host='\(primary.directory)' port=\(primary.port) user=postgres application_name=standby"
        let outcome = try await Subprocess.run(
            .name("setpriv"),
            arguments: Arguments(
                asServer + [
                    "\(binaries)/pg_basebackup", "-D", directory + "/data", "-c", "fast", "-N", "-d", source,
                ] + (follows ? ["-R"] : [])),
            output: .string(limit: 65_536), error: .string(limit: 65_536))
        guard outcome.terminationStatus.isSuccess else { throw Problem.notStarted(log: outcome.standardError) }
    }

    /// Makes a standby the primary.
    package func promote() async throws {
        try await eventually("the standby is the primary") {
            // The standby may still replay changes, and one of them can cancel the statement.
            do { _ = try await psql("SELECT pg_promote()") } catch is Problem {}
            return await isPrimary()
        }
    }

    /// Whether it runs and accepts writes.
    package func isPrimary() async -> Bool {
        do { return try await psql("SELECT pg_is_in_recovery()") == "f" } catch { return false }
    }
}

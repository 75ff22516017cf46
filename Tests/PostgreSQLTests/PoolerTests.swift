import FoundationEssentials
import Glibc
import Logging
import Storage
import TestSupport
import Testing

@testable import PostgreSQL

/// Debian's pgbouncer between the service and the server.
@Suite(.timeLimit(.minutes(5)), .enabled(if: PgBouncer.isInstalled, "needs the package pgbouncer"))
struct PoolerTests {
    @Test func `session mode works`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            try await PgBouncer.run(before: server, mode: "session") { port in
                let test = try await DatabaseUnderTest(url: server.url)
                let database = try test.open(port: port)
                for id in 1...20 as ClosedRange<Int64> { try await database.add(id, "\(id)") }
                #expect(try await database.names().count == 20)
            }
        }
    }

    @Test func `transaction mode is refused with one line`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            try await PgBouncer.run(before: server, mode: "transaction") { port in
                let test = try await DatabaseUnderTest(url: server.url)
                #expect {
                    try test.open(port: port)
                } throws: {
                    let error = $0 as? StorageError
                    return error?.code == .other && error?.message.contains("a pooler in transaction mode") == true
                }
            }
        }
    }
}

/// A pgbouncer on a free port.
private enum PgBouncer {
    private static let path = "/usr/sbin/pgbouncer"

    static var isInstalled: Bool { FileManager.default.fileExists(atPath: path) }

    /// - Parameter mode: its `pool_mode`.
    static func run(
        before server: PostgreSQLServer, mode: String, _ body: (Int) async throws -> Void
    ) async throws {
        let port = try await FreePort.find()
        // Its folder goes with the server's.
        let folder = server.directory + "/pgbouncer-\(mode)"
        let made = try await Shell.run(
            """
            mkdir '\(folder)' && cd '\(folder)' && echo '"postgres" ""' >users && cat >settings <<END
            [databases]
            * = host=127.0.0.1 port=\(server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(folder)/users
            pool_mode = \(mode)
            END
            chmod -R a+rX '\(folder)'
            """, in: "/")
        try #require(made.isSuccess, "\(made.output)")
        // It refuses to run as root.
        let user = geteuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let process = ChildProcess(
            executable: "/usr/bin/setpriv", arguments: user + ["--pdeathsig", "KILL", path, "-q", folder + "/settings"])
        try await process.run { _, _ in
            try await eventually("pgbouncer accepts connections") {
                try await Shell.run("exec 3<>/dev/tcp/127.0.0.1/\(port)", in: "/").isSuccess
            }
            try await body(port)
        }
    }
}

import Foundation
import Glibc
import Subprocess
import Synchronization

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs `body` with a PostgreSQL of its own, which is gone with all its files on every way out.
///
/// - Parameters:
///   - settings: lines of `postgresql.conf`; they win over the defaults.
///   - authentication: the method of `pg_hba.conf` for connections by TCP; those by the socket are trusted.
///   - disk: the size of a disk of its own in memory, which needs root; `nil` for the machine's.
///   - clock: its wall clock; `nil` for the machine's.
package func withPostgreSQLServer<Result>(
    settings: [String] = [], authentication: String = "trust", diskMegabytes disk: Int? = nil,
    clock: ShiftedClock? = nil, _ body: (PostgreSQLServer) async throws -> Result
) async throws -> Result {
    let server = try await PostgreSQLServer.start(
        settings: settings, authentication: authentication, diskMegabytes: disk, clock: clock)
    do {
        let result = try await body(server)
        try await server.stop()
        return result
    } catch {
        try await server.stop()
        throw error
    }
}

/// A real PostgreSQL on a free port of the loopback and on a Unix socket, that can be killed, frozen and restarted.
///
/// It runs as the user `postgres` if the tests run as root, which it refuses. It ends with the test process.
package final class PostgreSQLServer: Sendable {
    /// A reason why a test cannot have its server.
    package enum Problem: Error {
        /// Debian's package `postgresql` is not installed.
        case notInstalled
        /// The server or `initdb` ended, or did not serve in time; its log.
        case notStarted(log: String)
        case notRunning
        /// A statement failed, with psql's message.
        case refused(String)
    }

    /// The port, the same after a restart.
    package let port: Int
    /// The folder of the data, the log and the Unix socket.
    package let directory: String
    let binaries: String
    private let clock: ShiftedClock?
    private let process = Mutex<BoundProcess?>(nil)

    init(port: Int, settings: [String], clock: ShiftedClock? = nil) throws {
        self.port = port
        self.clock = clock
        binaries = try Self.newestBinaries()
        directory = FileManager.default.temporaryDirectory.path + "/postgresql-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        if let account = unsafe getpwnam("postgres"), geteuid() == 0 {
            unsafe _ = chown(directory, account.pointee.pw_uid, account.pointee.pw_gid)
        }
        let lines = [
            "listen_addresses = '127.0.0.1'", "port = \(port)", "unix_socket_directories = '\(directory)'",
            "max_connections = 300", "shared_buffers = 32MB", "logging_collector = off",
        ]
        try ((lines + settings).joined(separator: "\n") + "\n").write(
            toFile: directory + "/settings.conf", atomically: false, encoding: .utf8)
    }

    /// Makes a new database cluster, starts its server and waits until it serves.
    package static func start(
        settings: [String] = [], authentication: String = "trust", diskMegabytes: Int? = nil, clock: ShiftedClock? = nil
    ) async throws -> PostgreSQLServer {
        let server = try await PostgreSQLServer(port: FreePort.find(), settings: settings, clock: clock)
        do {
            if let diskMegabytes { try await server.mount(megabytes: diskMegabytes) }
            try await server.makeCluster(authentication)
            try await server.launch()
            return server
        } catch {
            try await server.stop()
            throw error
        }
    }

    /// The address of the database `postgres`, by TCP.
    package var url: String { "postgres://postgres@127.0.0.1:\(port)/postgres" }

    /// Runs statements as the superuser and returns their rows as lines, with `|` between the columns.
    package func psql(_ sql: String, database: String = "postgres") async throws -> String {
        let outcome = try await Subprocess.run(
            .path(FilePath(binaries + "/psql")),
            arguments: [
                "-qXAtv", "ON_ERROR_STOP=1", "-h", directory, "-p", "\(port)", "-U", "postgres", "-d", database, "-c",
                sql,
            ], input: .none,
            output: .string(limit: 1 << 24), error: .string(limit: 65_536))
        guard outcome.terminationStatus.isSuccess else { throw Problem.refused(outcome.standardError) }
        return outcome.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The ids of all its processes.
    package var processIDs: [Int32] {
        process.withLock { $0.map { [$0.identifier] + Self.children(of: $0.identifier) } } ?? []
    }

    /// Ends the server and removes its files; a second call does nothing.
    package func stop() async throws {
        try await kill()
        guard FileManager.default.fileExists(atPath: directory) else { return }
        _ = try await Shell.run("! mountpoint -q '\(directory)/data' || umount -l '\(directory)/data'", in: "/")
        try FileManager.default.removeItem(atPath: directory)
    }

    /// Ends the server with all its processes as `kill -9` does, and waits until they are gone.
    package func kill() async throws {
        guard let running = process.withLock({ $0.take() }) else { return }
        // Stopped first, so that it starts no process that this would miss.
        _ = Glibc.kill(running.identifier, SIGSTOP)
        let children = Self.children(of: running.identifier)
        for identifier in children + [running.identifier] { _ = Glibc.kill(identifier, SIGKILL) }
        try await running.end.value
        // They have the memory in common that another start would find in use.
        try await eventually("the server's processes are gone") { children.allSatisfy { Self.title(of: $0).isEmpty } }
    }

    /// Stops all its processes (SIGSTOP): connections stay open, nothing is answered.
    package func freeze() throws { try send(SIGSTOP) }

    /// Stops one of its processes, e.g. `walwriter`; the others go on.
    package func freeze(_ name: String) throws {
        let all = process.withLock { $0.map { Self.children(of: $0.identifier) } } ?? []
        guard let child = all.first(where: { Self.title(of: $0).contains(name) }), Glibc.kill(child, SIGSTOP) == 0
        else {
            throw Problem.notRunning
        }
    }

    /// Lets a frozen server go on (SIGCONT).
    package func thaw() throws { try send(SIGCONT) }

    /// Starts the server again if it has ended by itself, and waits until it serves.
    package func revive() async throws {
        try await eventually("PostgreSQL serves again") {
            if process.withLock({ $0?.hasEnded.isSet ?? true }) { try await launch() }
            do { return try await psql("SELECT 1") == "1" } catch is Problem { return false }
        }
    }

    /// Adds a line to the running server's settings; it takes effect soon.
    package func set(_ line: String) throws {
        let path = directory + "/settings.conf"
        try (try text(of: path) + line + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        try process.withLock { running in
            guard let running, Glibc.kill(running.identifier, SIGHUP) == 0 else { throw Problem.notRunning }
        }
    }

    /// Starts the server, which has recovered when this returns.
    package func launch() async throws {
        let log = directory + "/server.log"
        if FileManager.default.fileExists(atPath: log) { try FileManager.default.removeItem(atPath: log) }
        let running = try await spawn()
        process.withLock { $0 = running }
        let deadline = ContinuousClock.now + Patience.limit
        while try !text(of: log).contains("database system is ready to accept") {
            guard !running.hasEnded.isSet, ContinuousClock.now < deadline else {
                throw Problem.notStarted(log: try text(of: log))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

// MARK: - One server for all tests of a process

extension PostgreSQLServer {
    private static let shared = Mutex<Task<PostgreSQLServer, any Error>?>(nil)
    private static let sharedDirectory = Mutex<String?>(nil)

    /// The server that tests share, each with a schema of its own. It is started by the first one and does not sync its disk.
    package static func sharedServer() async throws -> PostgreSQLServer {
        let task = shared.withLock { shared in
            let task = shared ?? Task { try await startShared() }
            shared = task
            return task
        }
        return try await task.value
    }

    private static func startShared() async throws -> PostgreSQLServer {
        let server = try await start(settings: ["fsync = off", "full_page_writes = off"])
        sharedDirectory.withLock { $0 = server.directory }
        // The kernel ends the server with this process; its files have to be removed.
        atexit {
            guard let directory = PostgreSQLServer.sharedDirectory.withLock({ $0 }) else { return }
            do {
                try FileManager.default.removeItem(atPath: directory)
            } catch {
                print("scratch folder stays: \(directory)")
            }
        }
        return server
    }
}

// MARK: - Processes

extension PostgreSQLServer {
    /// Returns the folder with the programs of the newest version that is installed.
    package static func newestBinaries() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let newest = versions.compactMap({ Int($0) }).max() else { throw Problem.notInstalled }
        return "\(root)/\(newest)/bin"
    }

    /// The arguments of `setpriv` that make a process the server's user, since PostgreSQL refuses root.
    var asServer: [String] {
        geteuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    }

    private func makeCluster(_ authentication: String) async throws {
        let options = [
            "-D", directory + "/data", "-U", "postgres", "--auth-local=trust", "--auth-host=\(authentication)", "-E",
            "UTF8", "--locale=C", "--no-sync",
        ]
        let outcome = try await Subprocess.run(
            .name("setpriv"), arguments: Arguments(asServer + ["\(binaries)/initdb"] + options),
            output: .string(limit: 65_536), error: .string(limit: 65_536))
        guard outcome.terminationStatus.isSuccess else { throw Problem.notStarted(log: outcome.standardError) }
    }

    private func spawn() async throws -> BoundProcess {
        let command = "exec \"$0\" -D \"$1/data\" -c config_file=\"$1/all.conf\" >\"$1/server.log\" 2>&1"
        let arguments = asServer + ["sh", "-c", command, "\(binaries)/postgres", directory]
        try "include '\(directory)/data/postgresql.conf'\ninclude '\(directory)/settings.conf'\n".write(
            toFile: directory + "/all.conf", atomically: false, encoding: .utf8)
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in clock?.environment ?? [:] { variables[.init(stringLiteral: name)] = value }
        let environment = Environment.inherit.updating(variables)
        return try await BoundProcess(arguments, environment: environment)
    }

    private func send(_ signal: CInt) throws {
        guard let identifier = process.withLock({ $0?.identifier }) else { throw Problem.notRunning }
        for process in [identifier] + Self.children(of: identifier) { _ = Glibc.kill(process, signal) }
    }

    private static func children(of parent: pid_t) -> [pid_t] {
        let path = "/proc/\(parent)/task/\(parent)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    /// The name by which a process goes, e.g. `postgres: walwriter`; empty once it has ended.
    private static func title(of process: pid_t) -> String {
        String(decoding: FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data(), as: UTF8.self)
    }

    private func text(of path: String) throws -> String {
        guard FileManager.default.fileExists(atPath: path) else { return "" }
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}

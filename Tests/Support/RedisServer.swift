import FoundationEssentials
import Glibc
import Subprocess
import Synchronization

/// Runs `body` with a Redis of its own, which is gone with all its files on every way out.
/// - Parameter configuration: lines of `redis.conf`; they win over the defaults.
/// - Parameter users: lines of an ACL file, such as `user otp on >password ~otp:* +@all`; empty: no ACL file.
/// - Parameter functions: sources of function libraries, which the server has from its start on, and after each restart.
package func withRedisServer<Result>(
    configuration: [String] = [], users: [String] = [], functions: [String] = [],
    _ body: (RedisServer) async throws -> Result
) async throws -> Result {
    let server = try await RedisServer.start(configuration: configuration, users: users)
    do {
        for source in functions { try await server.load(source) }
        let result = try await body(server)
        try await server.stop()
        return result
    } catch {
        try await server.stop()
        throw error
    }
}

/// A real `redis-server` on a free port of the loopback, with a scratch folder, that can be killed, frozen and restarted.
///
/// It keeps nothing on disk and evicts nothing unless configured otherwise. It ends with the test process.
package final class RedisServer: Sendable {
    /// A reason why a test cannot have its Redis.
    package enum Problem: Error {
        /// The server ended, or did not serve in time; its log.
        case notStarted(log: String)
        /// The server refuses a command; its words.
        case commandRefused(String)
        /// The operation needs a running server.
        case notRunning
    }

    private static let startAttemptsMax = 5
    private static let pollInterval: Duration = .milliseconds(5)

    /// The port, the same after a restart.
    package let port: Int
    /// Where the server keeps its files.
    package let directory: String
    private let isSentinel: Bool
    private let process = Mutex<BoundProcess?>(nil)

    private init(port: Int, configuration: [String], users: [String], isSentinel: Bool) throws {
        self.port = port
        self.isSentinel = isSentinel
        directory = FileManager.default.temporaryDirectory.path + "/redis-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        var lines = ["bind 127.0.0.1", "port \(port)", "dir \(directory)", "logfile \(directory)/redis.log"]
        lines += ["save \"\"", "appendonly no", "maxmemory-policy noeviction"] + configuration
        if !users.isEmpty {
            lines.append("aclfile \(directory)/users.acl")
            try write(users, to: "users.acl")
        }
        try write(lines, to: "redis.conf")
    }

    /// Starts a server, or a Sentinel, and waits until it serves.
    package static func start(
        configuration: [String] = [], users: [String] = [], isSentinel: Bool = false
    ) async throws -> RedisServer {
        var attempt = 1
        while true {
            let server = try await RedisServer(
                port: FreePort.find(), configuration: configuration, users: users, isSentinel: isSentinel)
            do {
                try await server.launch()
                return server
            } catch {
                try await server.stop()
                // Another process may have taken the port in between.
                guard attempt < startAttemptsMax, case Problem.notStarted = error else { throw error }
                attempt += 1
            }
        }
    }

    /// Ends the server and removes its files; a second call does nothing.
    package func stop() async throws {
        try await kill()
        guard FileManager.default.fileExists(atPath: directory) else { return }
        try FileManager.default.removeItem(atPath: directory)
    }

    /// Ends the server as `kill -9` does, and waits until it is gone.
    package func kill() async throws {
        try await process.withLock { $0.take() }?.kill()
    }

    /// Stops the server's threads (SIGSTOP): connections stay open, nothing is answered.
    package func freeze() throws { try send(SIGSTOP) }

    /// Lets a frozen server go on (SIGCONT).
    package func thaw() throws { try send(SIGCONT) }

    /// Kills the server and starts it on the same port, with what is on its disk.
    package func restart() async throws {
        try await kill()
        try await launch()
    }

    /// Starts a killed server on the same port, with what is on its disk.
    package func launch() async throws {
        let log = directory + "/redis.log"
        if FileManager.default.fileExists(atPath: log) { try FileManager.default.removeItem(atPath: log) }
        let sentinel = isSentinel ? ["--sentinel"] : []
        let running = try await BoundProcess(["redis-server", directory + "/redis.conf"] + sentinel)
        process.withLock { $0 = running }
        let deadline = ContinuousClock.now + Patience.limit
        while try !text(of: log).contains(isSentinel ? "Sentinel ID is" : "Ready to accept connections") {
            guard !running.hasEnded.isSet, ContinuousClock.now < deadline else {
                throw Problem.notStarted(log: try text(of: log))
            }
            try await Task.sleep(for: Self.pollInterval)
        }
    }
}

// MARK: - Functions

extension RedisServer {
    /// Loads a library of functions, and saves it where the server finds it at its next start.
    package func load(_ source: String) async throws {
        // From standard input: as an argument a source may be too long.
        try await command(["-x", "FUNCTION", "LOAD", "REPLACE"], input: source)
        try await command(["SAVE"])
    }

    /// Runs a command as the default user.
    /// - Returns: the reply as redis-cli prints it.
    @discardableResult package func command(_ words: [String], input: String = "") async throws -> String {
        let outcome = try await Subprocess.run(
            .name("redis-cli"), arguments: Arguments(["-e", "-p", "\(port)"] + words), input: .string(input),
            output: .string(limit: 4096), error: .string(limit: 4096))
        guard outcome.terminationStatus.isSuccess else {
            throw Problem.commandRefused("\(outcome.standardOutput) \(outcome.standardError)")
        }
        return outcome.standardOutput
    }
}

// MARK: - Process

extension RedisServer {
    private func send(_ signal: CInt) throws {
        try process.withLock { running in
            guard let running, Glibc.kill(running.identifier, signal) == 0 else { throw Problem.notRunning }
        }
    }
}

// MARK: - Files

extension RedisServer {
    private func write(_ lines: [String], to name: String) throws {
        try (lines.joined(separator: "\n") + "\n").write(
            toFile: directory + "/" + name, atomically: true, encoding: .utf8)
    }

    private func text(of path: String) throws -> String {
        guard FileManager.default.fileExists(atPath: path) else { return "" }
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}

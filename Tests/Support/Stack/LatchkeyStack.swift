import FoundationEssentials
import Glibc
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The real thing: the supervisor with all processes and a Redis, on free ports and a data directory of its own.
package struct LatchkeyStack: Sendable {
    /// Base URL of the gateway.
    package var gateway: TestHTTPClient
    /// Base URL of the gateway over TLS, with `LATCHKEY_TLS_PORT`.
    package let tls: String?
    /// Base URL of the inbox.
    package var inbox: TestHTTPClient
    package let dataDirectory: String
    /// Where its services keep their data, unless in files of SQLite.
    package let database: StackDatabase?
    /// The file of its own authority, which vouches for `tls`.
    package var authority: String { dataDirectory + "/tls/ca.crt" }
    /// Folder of the processes that it runs.
    let binaries: String
    let supervisor: pid_t

    /// The stack did not become ready; with what its processes said last.
    package struct NotReady: Error, CustomStringConvertible { package let description: String }

    /// Folder of the built processes: `LATCHKEY_BIN_DIR`, else that of the test bundle.
    package static let binaries =
        ProcessInfo.processInfo.environment["LATCHKEY_BIN_DIR"]
        ?? executable.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    private static let executable = unsafe realpath("/proc/self/exe", nil).map { unsafe String(cString: $0) } ?? ""
    /// The repository.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    /// Runs `body` with a stack that is ready, and ends it on every path; its logs stay in `<binaries>/stack-logs/<name>`.
    ///
    /// - Parameters:
    ///   - environment: settings of `deploy/run`, e.g. `LATCHKEY_REPLICAS`.
    ///   - policy: changes to howru's text, old to new; empty: howru itself, or what `environment` or `LATCHKEY_POLICY` names.
    ///   - secrets: secret files by name that the stack does not make for itself.
    ///   - database: where its services keep their data, unless in files of SQLite.
    ///   - redisAtPort: Redis is reached at its port, as in containers: the data directory has so long a path that no socket
    ///     file fits.
    ///   - core: the number of the one core that all its processes run on; nil for every one there is.
    ///   - binaries: folder of the processes that it runs.
    ///   - prepare: is given the data directory before anything starts.
    package static func run<Value: Sendable>(
        name: String, environment: [String: String] = [:], policy: [String: String] = [:],
        secrets: [String: String] = [:], database: StackDatabase? = nil, redisAtPort: Bool = false, core: Int? = nil,
        binaries: String = Self.binaries,
        prepare: (String) throws -> Void = { _ in }, _ body: (LatchkeyStack) async throws -> Value
    ) async throws -> Value {
        let folder =
            FileManager.default.temporaryDirectory.path(percentEncoded: false)
            + "latchkey-\(UUID().uuidString.prefix(13))" + (redisAtPort ? String(repeating: "-", count: 100) : "")
        // Closed to other users, like the folder that the supervisor creates.
        try FileManager.default.createDirectory(
            atPath: folder + "/secrets", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            var environment = environment
            if !policy.isEmpty {
                let path = folder + "/policy.yaml"
                try PolicyText.howru(changing: policy).write(toFile: path, atomically: true, encoding: .utf8)
                environment["LATCHKEY_POLICY"] = path
            }
            environment["LATCHKEY_POLICY"] = try FactorSections.policy(environment, in: folder)
            var database = database
            if database == nil, environment["TOKEN_DATABASE_URL"] == nil {
                database = try await StackDatabase.ofEngineUnderTest()
                // In uat nothing migrates by itself.
                if environment["LATCHKEY_ENV"] == "uat" { try await database?.migrate(by: binaries) }
            }
            environment.merge(database?.environment ?? [:]) { own, _ in own }
            for (name, text) in secrets {
                try text.write(toFile: folder + "/secrets/" + name, atomically: true, encoding: .utf8)
            }
            try prepare(folder)
            let value = try await supervised(
                by: binaries, folder, environment, database, core: core, body)
            try keepLogs(of: folder, as: name, in: binaries)
            return value
        } catch {
            try keepLogs(of: folder, as: name, in: binaries)
            throw error
        }
    }

    private static func supervised<Value: Sendable>(
        by binaries: String, _ folder: String, _ environment: [String: String], _ database: StackDatabase?, core: Int?,
        _ body: (LatchkeyStack) async throws -> Value
    ) async throws -> Value {
        var variables: [Environment.Key: String?] = [
            "LATCHKEY_DATA_DIR": folder, "LATCHKEY_PORT": "0", "LATCHKEY_INBOX_PORT": "0",
            "LATCHKEY_POLICIES_DIR": root + "deploy/policies",
            "LATCHKEY_POLICY": ProcessInfo.processInfo.environment["LATCHKEY_POLICY"] ?? "howru",
        ]
        for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(40))]
        let command = [binaries + "/supervisor", "--stop-with-parent"]
        // taskset becomes the supervisor, with its process id.
        let pinned = core.map { ["taskset", "-c", "\($0)"] + command } ?? command
        let result = try await Subprocess.run(
            .path("/usr/bin/env"), arguments: Arguments(pinned),
            environment: .inherit.updating(variables), platformOptions: options, input: .none, output: .sequence,
            error: .currentStandardError
        ) { execution in
            let stack = try await ready(
                execution.standardOutput, folder, database, binaries, execution.processIdentifier.value)
            do {
                let value = try await body(stack)
                try execution.send(signal: .terminate)
                return value
            } catch {
                try execution.send(signal: .terminate)
                throw error
            }
        }
        return result.closureResult
    }

    /// Waits for the lines with the addresses.
    private static func ready(
        _ output: SubprocessOutputSequence, _ folder: String, _ database: StackDatabase?, _ binaries: String,
        _ supervisor: pid_t
    ) async throws -> LatchkeyStack {
        var gateway: String?
        var tls: String?
        for try await line in output.strings() {
            let line = line.filter { !$0.isNewline }
            if line.hasPrefix("ready ") { gateway = String(line.dropFirst(6)) }
            if line.hasPrefix("tls ") { tls = String(line.dropFirst(4)) }
            if line.hasPrefix("inbox "), let gateway {
                return LatchkeyStack(
                    gateway: TestHTTPClient(base: gateway), tls: tls,
                    inbox: TestHTTPClient(base: String(line.dropFirst(6))),
                    dataDirectory: folder, database: database, binaries: binaries, supervisor: supervisor)
            }
        }
        throw NotReady(description: try lastWords(folder))
    }

    private static func lastWords(_ folder: String) throws -> String {
        let logs = folder + "/log"
        return try FileManager.default.contentsOfDirectory(atPath: logs).sorted().map { name in
            let text = try String(contentsOfFile: logs + "/" + name, encoding: .utf8)
            return "--- \(name)\n" + text.split(separator: "\n").suffix(5).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Moves the logs to `<binaries>/stack-logs/<name>`; of two stacks of one name that end at once, one stack's logs stay.
    private static func keepLogs(of folder: String, as name: String, in binaries: String) throws {
        let files = FileManager.default
        let kept = binaries + "/stack-logs/" + name
        let replaced = folder + "/replaced"
        try files.createDirectory(atPath: binaries + "/stack-logs", withIntermediateDirectories: true)
        try? files.moveItem(atPath: kept, toPath: replaced)
        try? files.moveItem(atPath: folder + "/log", toPath: kept)
        try files.removeItem(atPath: folder)
    }
}

import FoundationEssentials
import Glibc
import Subprocess
import Synchronization
import TestSupport

/// A machine in namespaces of its own for network, processes and mounts.
///
/// All of it ends with its first process, which the kernel ends when the test process crashes.
final class Machine: Sendable {
    struct Failed: Error, CustomStringConvertible { let description: String }

    private static let outputBytesMax = 1 << 20
    /// The first process does nothing but reap those that lost their parent.
    private static let reaper = "while :; do sleep 1000 & wait; done"

    let name: String
    /// The folder of its processes' logs.
    let logs: String
    private let running = Mutex<Running?>(nil)

    private struct Running: Sendable {
        let first: pid_t
        let end: Task<Void, any Error>
    }

    init(_ name: String, logs: String) throws {
        self.name = name
        self.logs = logs + "/" + name
        try FileManager.default.createDirectory(atPath: self.logs, withIntermediateDirectories: true)
    }

    /// The id of its first process, as the test sees it.
    var first: pid_t {
        get throws {
            guard let running = running.withLock({ $0 }) else { throw Failed(description: "\(name) is off") }
            return running.first
        }
    }

    /// Switches the machine on, without a network.
    ///
    /// - Parameter disks: the machine whose mounts it sees; they outlive this one.
    func powerOn(disks: Machine? = nil) async throws {
        let mounts = try disks.map { ["nsenter", "-t", "\(try $0.first)", "-m"] } ?? []
        let holder = try await BoundProcess(
            mounts + ["unshare", "--net", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"]
                + ["bash", "-c", Self.reaper])
        let first = try await Task { try await Self.first(of: holder.identifier) }.value
        running.withLock { $0 = Running(first: first, end: holder.end) }
    }

    /// Ends all of its processes at once, and waits until they are gone.
    func powerOff() async throws {
        guard let running = running.withLock({ $0.take() }) else { return }
        kill(running.first, SIGKILL)
        try await running.end.value
    }

    /// Stops all of its processes: connections stay open, nothing responds.
    func freeze() async throws { try await run("kill -STOP -1") }

    /// Lets frozen processes go on.
    func thaw() async throws { try await run("kill -CONT -1") }

    /// Runs a script in it, and returns its output.
    @discardableResult
    func run(_ script: String, environment: [String: String] = [:]) async throws -> String {
        try await enter(["-n", "-m", "-p", "--", "bash", "-c", script], environment)
    }

    /// Runs a script of the test's own machine in this one's network.
    @discardableResult
    func runInNetwork(_ script: String) async throws -> String { try await enter(["-n", "--", "bash", "-ec", script]) }

    /// Starts a process that writes its log into a file of that name.
    func start(_ command: [String], log: String, environment: [String: String] = [:]) async throws {
        let words = command.map { "'" + $0 + "'" }.joined(separator: " ")
        try await run("setsid \(words) </dev/null >>'\(logs)/\(log).log' 2>&1 &", environment: environment)
    }

    private func enter(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> String {
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
        let result = try await Subprocess.run(
            .name("nsenter"), arguments: Arguments(["-t", "\(try first)"] + arguments),
            environment: .inherit.updating(variables), input: .none, output: .string(limit: Self.outputBytesMax),
            error: .combinedWithOutput)
        guard result.terminationStatus.isSuccess else {
            throw Failed(description: "\(name): \(arguments.last ?? ""): \(result.standardOutput)")
        }
        return result.standardOutput
    }

    /// Waits until the first process of the new namespaces runs, and returns its id.
    private static func first(of holder: pid_t) async throws -> pid_t {
        var first: pid_t?
        try await eventually("a machine starts") {
            let children = try String(contentsOfFile: "/proc/\(holder)/task/\(holder)/children", encoding: .utf8)
            first = children.split(separator: " ").first.flatMap { pid_t($0) }
            guard let first else { return false }
            let command = FileManager.default.contents(atPath: "/proc/\(first)/cmdline") ?? Data()
            return String(decoding: command, as: UTF8.self).contains(reaper)
        }
        guard let first else { throw Failed(description: "a machine does not start") }
        return first
    }
}

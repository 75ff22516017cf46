import FoundationEssentials
import Glibc
import TestSupport

/// strace on a running process, which it kills as one of its threads begins its k-th system call of a kind.
struct Tracer {
    private static let executable = "/usr/bin/strace"
    private static let attachLimit = Patience.limit

    /// Which system call is not to happen any more.
    struct Point: Sendable, CustomStringConvertible {
        let call: String
        let number: Int

        var description: String { "\(call) \(number)" }
    }

    /// Whether this process may trace others: root may, others may where the kernel does not restrict it to parents.
    static var mayAttach: Bool {
        guard geteuid() != 0 else { return true }
        // Without the file there is no such restriction.
        do {
            let scope = try String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
            return scope.hasPrefix("0")
        } catch { return true }
    }

    /// Runs `body` while the process may be killed at any moment; it is traced no more afterwards.
    static func killing<Value: Sendable>(
        _ process: pid_t, at point: Point, _ body: () async throws -> Value
    ) async throws -> Value {
        let arguments = [
            "-f", "-qq", "-o", "/dev/null", "-p", "\(process)", "-e", "trace=\(point.call)", "-e",
            "inject=\(point.call):signal=SIGKILL:when=\(point.number)",
        ]
        return try await ChildProcess(executable: executable, arguments: arguments).run { strace, _ in
            // Asked to end, it would wait for threads of the killed process that never say so.
            defer { kill(strace, SIGKILL) }
            try await eventually("strace is attached to all threads", within: attachLimit, every: .milliseconds(2)) {
                try isTraced(process)
            }
            return try await body()
        }
    }

    /// Whether the process has ended, reaped or not.
    static func hasEnded(_ process: pid_t) -> Bool {
        do {
            let state = try field("State", in: "/proc/\(process)/status")
            return state.hasPrefix("Z") || state.hasPrefix("X")
        } catch { return true }
    }

    private static func isTraced(_ process: pid_t) throws -> Bool {
        let folder = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .allSatisfy { isTracedOrGone(thread: "\(folder)/\($0)") }
    }

    /// A thread may end after the folder was listed.
    private static func isTracedOrGone(thread: String) -> Bool {
        do { return try field("TracerPid", in: thread + "/status") != "0" } catch { return true }
    }

    private static func field(_ name: String, in file: String) throws -> String {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return String(line?.dropFirst(name.count + 1).drop { $0.isWhitespace } ?? "")
    }
}

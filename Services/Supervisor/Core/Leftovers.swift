import FoundationEssentials
import Glibc

/// Processes of an earlier supervisor on this data directory that outlived it.
///
/// The kernel signals them to exit when their supervisor dies (see `SpawnedProcess`), but they may still be shutting down, or
/// have been started without that help. A process belongs to this data directory if the pid file contains its id and it was
/// started at the time in the file next to it. The id is not enough, since another program may have it by now.
enum Leftovers {
    private static let variable = "LATCHKEY_SUPERVISED_DATA_DIR"

    /// The variable that marks the processes of a data directory, for people and scripts that look for them.
    static func mark(_ data: DataDirectory) -> [String: String] { [variable: data.path] }

    /// Stops the processes that still run, by SIGTERM and after `grace` by SIGKILL, and removes all files in `run/`.
    static func end(in data: DataDirectory, grace: Duration) throws(StartFailure) {
        let files = names(in: data.run).filter { $0 != "supervisor.pid" }
        let processes = files.filter { $0.hasSuffix(".pid") }
            .compactMap { leftover(String($0.dropLast(".pid".count)), data) }
            .filter { isOurs($0) }
        for process in processes { kill(process.id, SIGTERM) }
        if !wait(for: processes, atMost: grace) {
            for process in processes where isOurs(process) { kill(process.id, SIGKILL) }
            guard wait(for: processes, atMost: .seconds(2)) else {
                throw StartFailure(
                    "processes of an earlier start do not exit. Run kill -9 "
                        + processes.map { "\($0.id)" }.joined(separator: " ") + ", and start again.")
            }
        }
        for file in files { StateFile.remove(data.run + "/" + file) }
    }

    private struct Leftover {
        let id: pid_t
        let startTime: String
    }

    private static func leftover(_ name: String, _ data: DataDirectory) -> Leftover? {
        guard let id = StateFile.read(data.pidFile(name)).flatMap({ pid_t($0.prefix { $0.isNumber }) }), id > 1,
            let startTime = StateFile.read(data.startFile(name)), !startTime.isEmpty
        else { return nil }
        return Leftover(id: id, startTime: startTime)
    }

    private static func isOurs(_ process: Leftover) -> Bool { startTime(of: process.id) == process.startTime }

    /// Returns when a process was started: the boot, and clock ticks since then; `nil` if it has exited.
    ///
    /// Every user may read this, even of a process that hides its environment from others (`PR_SET_DUMPABLE`).
    static func startTime(of process: pid_t) -> String? {
        guard let status = StateFile.read("/proc/\(process)/stat"),
            let boot = StateFile.read("/proc/sys/kernel/random/boot_id"),
            // The name before it, in brackets, may contain spaces and brackets.
            let end = status.lastIndex(of: ")")
        else { return nil }
        let fields = status[end...].split(separator: " ")
        // proc(5): the state is field 3, the start time field 22.
        guard fields.count > 20, fields[1] != "Z" else { return nil }
        return "\(boot.prefix { !$0.isNewline }) \(fields[20])"
    }

    private static func wait(for processes: [Leftover], atMost limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        while processes.contains(where: { isOurs($0) }) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(20_000)
        }
        return true
    }

    private static func names(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
    }
}

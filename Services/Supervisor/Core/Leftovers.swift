import FoundationEssentials
import Glibc

/// Processes of an earlier supervisor on this data directory that outlived it.
///
/// They are asked to end when their supervisor dies (see `SpawnedProcess`), but they may still be at it, or have been
/// started without that help. A process is ours if the pid file names it and its environment carries our mark: a
/// number alone may have gone to a stranger.
enum Leftovers {
    private static let variable = "LATCHKEY_SUPERVISED_DATA_DIR"

    /// The variable that marks the processes of a data directory.
    static func mark(_ data: DataDirectory) -> [String: String] { [variable: data.path] }

    /// Ends those that still run, by SIGTERM and after `grace` by SIGKILL, and removes all files in `run/`.
    static func end(in data: DataDirectory, grace: Duration) throws(StartFailure) {
        let files = names(in: data.run).filter { $0 != "supervisor.pid" }
        let processes = files.filter { $0.hasSuffix(".pid") }
            .compactMap { StateFile.read(data.run + "/" + $0) }
            .compactMap { pid_t($0.prefix { $0.isNumber }) }
            .filter { isOurs($0, data) }
        for process in processes { kill(process, SIGTERM) }
        if !wait(for: processes, data, atMost: grace) {
            for process in processes where isOurs(process, data) { kill(process, SIGKILL) }
            guard wait(for: processes, data, atMost: .seconds(2)) else {
                throw StartFailure("processes of an earlier run do not end: \(processes)")
            }
        }
        for file in files { StateFile.remove(data.run + "/" + file) }
    }

    private static func isOurs(_ process: pid_t, _ data: DataDirectory) -> Bool {
        guard process > 1, let environment = StateFile.read("/proc/\(process)/environ") else { return false }
        return environment.split(separator: "\0").contains("\(variable)=\(data.path)")
    }

    private static func wait(for processes: [pid_t], _ data: DataDirectory, atMost limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        while processes.contains(where: { isOurs($0, data) }) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(20_000)
        }
        return true
    }

    private static func names(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
    }
}

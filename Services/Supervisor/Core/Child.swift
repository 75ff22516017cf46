import Glibc

/// One process of the stack over all its restarts.
struct Child {
    enum State: Equatable {
        case running(pid_t, since: ContinuousClock.Instant)
        case waiting(until: ContinuousClock.Instant)
        /// The process reported that it cannot start with its settings.
        case ended
        /// The process was a job and has succeeded.
        case done
    }

    /// How a process exited, and when it is started again.
    struct Ending: Equatable {
        let how: String
        /// `nil` if it is not started again, because it would exit in the same way or its job is done.
        let wait: Duration?
    }

    /// The exit status with which Latchkey's processes report that a setting is wrong (sysexits: EX_CONFIG).
    static let wrongSettingsStatus: Int32 = 78

    let spec: ProcessSpec
    /// Whether it has reported since its last start that it can do its job.
    var isReady = false
    private(set) var state: State
    private(set) var backoff = RestartBackoff()
    /// The length of the log, in bytes, when the process was started last.
    private var logStart = 0

    init(_ spec: ProcessSpec, now: ContinuousClock.Instant) {
        self.spec = spec
        state = .waiting(until: now)
    }

    var process: pid_t? {
        if case .running(let process, _) = state { process } else { nil }
    }

    /// Starts the process if its wait is over, and writes its pid file.
    ///
    /// - Returns: Whether it was started.
    mutating func startIfDue(
        in data: DataDirectory, publicSockets: [Int32], now: ContinuousClock.Instant
    ) throws(StartFailure) -> Bool {
        guard case .waiting(let until) = state, now >= until else { return false }
        let log = data.logFile(spec.name)
        LogFile.bound(log)
        logStart = LogFile.size(log)
        let process = try SpawnedProcess.start(spec, log: log, publicSockets: publicSockets)
        state = .running(process, since: now)
        try StateFile.write("\(process)\n", to: data.pidFile(spec.name))
        try StateFile.write(Leftovers.startTime(of: process) ?? "", to: data.startFile(spec.name))
        return true
    }

    /// Makes a job that is done run again.
    mutating func repeatJob(now: ContinuousClock.Instant) {
        guard state == .done else { return }
        isReady = false
        state = .waiting(until: now)
    }

    /// Notices that the process has exited; returns `nil` while it runs.
    mutating func reap(in data: DataDirectory, now: ContinuousClock.Instant) -> Ending? {
        guard case .running(let process, let since) = state else { return nil }
        var status: Int32 = 0
        guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
        StateFile.remove(data.pidFile(spec.name))
        StateFile.remove(data.startFile(spec.name))
        isReady = false
        let how = Self.description(of: status)
        if case .job = spec.life, status == 0 {
            isReady = true
            state = .done
            return Ending(how: how, wait: nil)
        }
        guard Self.exitCode(of: status) != Self.wrongSettingsStatus else {
            state = .ended
            return Ending(how: how, wait: nil)
        }
        let wait = backoff.wait(afterRunning: now - since)
        state = .waiting(until: now + wait)
        return Ending(how: how, wait: wait)
    }

    /// Returns the text that the process has written since it was started last.
    func lastWords(in data: DataDirectory) -> String { LogFile.text(data.logFile(spec.name), from: logStart) }

    /// Returns `wait`'s status in words.
    static func description(of status: Int32) -> String {
        exitCode(of: status).map { "exit code \($0)" } ?? "signal \(status & 0x7F)"
    }

    /// Reads the exit code from a status of wait(2): the low 7 bits are the signal, the next byte the exit code.
    private static func exitCode(of status: Int32) -> Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
}

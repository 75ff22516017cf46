internal import Glibc

/// One process of the stack over all its restarts.
struct Child {
    enum State: Equatable {
        case running(pid_t, since: ContinuousClock.Instant)
        case waiting(until: ContinuousClock.Instant)
    }

    /// How a process ended and when it is started again.
    struct Ending: Equatable {
        let how: String
        let wait: Duration
    }

    let spec: ProcessSpec
    /// Whether it has answered that it can do its job since its last start.
    var isReady = false
    private(set) var state: State
    private(set) var backoff = RestartBackoff()

    init(_ spec: ProcessSpec, now: ContinuousClock.Instant) {
        self.spec = spec
        state = .waiting(until: now)
    }

    var process: pid_t? {
        if case .running(let process, _) = state { process } else { nil }
    }

    /// Starts the process if its wait is over, and writes its pid file.
    mutating func startIfDue(
        in data: DataDirectory, publicSocket: Int32, now: ContinuousClock.Instant
    ) throws(StartFailure) {
        guard case .waiting(let until) = state, now >= until else { return }
        let log = data.logFile(spec.name)
        LogFile.bound(log)
        let process = try SpawnedProcess.start(spec, log: log, publicSocket: publicSocket)
        state = .running(process, since: now)
        try PrivateFile.write("\(process)\n", to: data.pidFile(spec.name))
    }

    /// Notices that the process has ended; nil while it runs.
    mutating func reap(in data: DataDirectory, now: ContinuousClock.Instant) -> Ending? {
        guard case .running(let process, let since) = state else { return nil }
        var status: Int32 = 0
        guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
        PrivateFile.remove(data.pidFile(spec.name))
        isReady = false
        let wait = backoff.wait(afterRunning: now - since)
        state = .waiting(until: now + wait)
        return Ending(how: Self.description(of: status), wait: wait)
    }

    /// `wait`'s status in words (wait(2): the low 7 bits are the signal, the next byte the exit code).
    static func description(of status: Int32) -> String {
        let signal = status & 0x7F
        return signal == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal)"
    }
}

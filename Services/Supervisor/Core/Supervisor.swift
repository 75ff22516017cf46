import Glibc
import Release

/// Starts a stack's processes, restarts each process that exits, and stops all in order.
///
/// It has one thread with one loop, which blocks on purpose in a wait for signals.
package struct Supervisor: ~Copyable {
    /// The number of exits of one process before the stack is ready for the first time after which the start fails.
    static let startTriesMax = 4
    /// The limit for the time until the stack is ready.
    static let startLimit: Duration = .seconds(90)
    /// The limit for the time that a process takes to stop: its own 10 s and a margin.
    static let stopLimit: Duration = .seconds(12)
    private static let startTickMilliseconds = 20
    private static let tickMilliseconds = 250
    private static let logCheckTicks = 20

    private let data: DataDirectory
    private let plan: StackPlan
    private let publicSockets: PublicSockets
    private let lock: SupervisorLock
    private let ports: PortBlock
    private let parent: pid_t?
    private var signals: StopSignals
    private var children: [Child]

    init(
        _ plan: StackPlan, data: DataDirectory, publicSockets: PublicSockets, lock: consuming SupervisorLock,
        ports: consuming PortBlock, signals: StopSignals, parent: pid_t?
    ) {
        self.plan = plan
        self.data = data
        self.publicSockets = publicSockets
        self.lock = lock
        self.ports = ports
        self.signals = signals
        self.parent = parent
        let now = ContinuousClock.now
        children = plan.processes.map { Child($0, now: now) }
    }

    /// Runs until the stack is to stop; `announce` gets the text to print once everything is ready.
    ///
    /// - Throws: `StartFailure` if the stack does not become ready. All processes have stopped by then.
    package mutating func run(announce: (String) -> Void, note: (String) -> Void) throws(StartFailure) {
        note("Latchkey \(Release.version)")
        do {
            guard try becomesReady(note) else { return stop() }
            announce(
                Welcome.text(
                    gatewayPort: plan.gatewayPort, inboxPort: plan.inboxPort, policy: plan.policy,
                    phonesAddress: plan.phonesAddress, tlsPort: plan.tlsPort, authority: plan.authority,
                    fakes: plan.fakes, providers: fakeProviders, hasConsole: plan.hasConsole))
            if let address = plan.phonesAddress { QRCode.show("http://\(address):\(plan.gatewayPort)") }
            try keepRunning(note)
        } catch {
            stop()
            throw error
        }
        stop()
    }

    /// The providers of the policy, as the fakes list them.
    private var fakeProviders: [String] {
        guard let fakes = children.first(where: { $0.spec.name == Manifest.fakes.name })?.spec else { return [] }
        let names = ReadinessProbe.body(of: "/fakes/providers", port: fakes.servicePort)
        return names.split(separator: "\n").map(String.init)
    }

    /// Starts all processes; returns false if the stack is to stop before all are ready.
    private mutating func becomesReady(_ note: (String) -> Void) throws(StartFailure) -> Bool {
        let deadline = ContinuousClock.now + Self.startLimit
        while true {
            if let wrong = try maintainChildren(note).first { throw wrongSettings(wrong) }
            for index in children.indices where !children[index].isReady && children[index].process != nil {
                let spec = children[index].spec
                if spec.life == .lasting { children[index].isReady = ReadinessProbe.isReady(spec) }
            }
            let needed = children.filter { $0.spec.life != .beside }
            if needed.allSatisfy(\.isReady) { return true }
            for child in needed where child.backoff.failures >= Self.startTriesMax {
                throw failure(child.spec, "has exited \(child.backoff.failures) times while starting")
            }
            if ContinuousClock.now > deadline, let late = needed.first(where: { !$0.isReady }) {
                throw failure(late.spec, "is not ready after \(Self.startLimit)")
            }
            if isToStop(waitMilliseconds: Self.startTickMilliseconds) { return false }
        }
    }

    private mutating func keepRunning(_ note: (String) -> Void) throws(StartFailure) {
        var tick = 0
        while !isToStop(waitMilliseconds: nextWaitMilliseconds()) {
            for child in try maintainChildren(note) { try goOn(without: child, note) }
            tick = (tick + 1) % Self.logCheckTicks
            if tick == 0 { for child in children { LogFile.bound(data.logFile(child.spec.name)) } }
        }
    }

    /// Notices exits and starts the processes that are due.
    ///
    /// - Returns: The processes that have exited and are not started again.
    private mutating func maintainChildren(_ note: (String) -> Void) throws(StartFailure) -> [Child] {
        let now = ContinuousClock.now
        var ended: [Child] = []
        for index in children.indices {
            if let ending = children[index].reap(in: data, now: now) {
                let name = children[index].spec.name
                if let wait = ending.wait {
                    note("\(name) has exited (\(ending.how)); starting it again in \(wait)")
                    if let hint = RedisHints.hint(for: children[index], in: data) { note(hint) }
                } else if children[index].state == .ended {
                    ended.append(children[index])
                }
            }
            if try children[index].startIfDue(in: data, publicSockets: publicSockets.all, now: now) {
                repeatJobs(after: children[index].spec.name, now: now)
            }
        }
        return ended
    }

    private mutating func repeatJobs(after name: String, now: ContinuousClock.Instant) {
        for index in children.indices where children[index].spec.life == .job(after: name) {
            children[index].repeatJob(now: now)
        }
    }

    /// A process that exits for good in a running stack has settings that were changed in the meantime. The others continue to
    /// serve what they can. Without a gateway the stack stops, since clients would hang in the queue of a public socket.
    private func goOn(without child: Child, _ note: (String) -> Void) throws(StartFailure) {
        guard children.contains(where: { $0.spec.takesPublicSockets && $0.state != .ended }) else {
            throw wrongSettings(child)
        }
        note("\(wrongSettings(child))")
        note("the other processes go on without \(child.spec.name). Correct its settings and start everything again.")
    }

    /// Returns the time until the next restart is due, at most a tick.
    private func nextWaitMilliseconds() -> Int {
        let now = ContinuousClock.now
        let waits = children.compactMap { child -> Int? in
            guard case .waiting(let until) = child.state else { return nil }
            return max(1, Int((until - now) / .milliseconds(1)))
        }
        return min(waits.min() ?? Self.tickMilliseconds, Self.tickMilliseconds)
    }

    private mutating func isToStop(waitMilliseconds: Int) -> Bool {
        if signals.wait(milliseconds: waitMilliseconds) { return true }
        return parent.map { getppid() != $0 } ?? false
    }

    /// Stops all processes: the gateway, then the services, then Redis.
    private mutating func stop() {
        for phase in ProcessSpec.StopPhase.allCases {
            let stopping = children.indices.filter { children[$0].spec.stopPhase == phase }
            signal(stopping, SIGTERM)
            var deadline = ContinuousClock.now + Self.stopLimit
            while stopping.contains(where: { children[$0].process != nil }) {
                for index in stopping { _ = children[index].reap(in: data, now: .now) }
                // A second Ctrl-C ends the wait at once.
                if signals.wait(milliseconds: Self.startTickMilliseconds) { deadline = .now }
                guard ContinuousClock.now >= deadline else { continue }
                signal(stopping, SIGKILL)
            }
        }
        for child in children {
            StateFile.remove(data.opsFile(child.spec.name))
            StateFile.remove(data.portFile(child.spec.name))
        }
        if let socket = data.redisSocket { StateFile.remove(socket) }
        StateFile.remove(data.binariesFile)
        StateFile.remove(data.variablesFile)
        publicSockets.close()
    }

    private func signal(_ indices: [Int], _ number: Int32) {
        for index in indices { if let process = children[index].process { kill(process, number) } }
    }

    private func wrongSettings(_ child: Child) -> StartFailure {
        let words = child.lastWords(in: data).split(whereSeparator: \.isNewline).joined(separator: "\n")
        return StartFailure("\(child.spec.name) cannot start with its settings:\n\(words)")
    }

    private func failure(_ spec: ProcessSpec, _ what: String) -> StartFailure {
        let log = data.logFile(spec.name)
        let hint = children.first { $0.spec.name == spec.name }.flatMap { RedisHints.hint(for: $0, in: data) }
        return StartFailure(
            "\(spec.name) \(what); last line of \(log): \(LogFile.lastLine(log) ?? "(empty)")"
                + (hint.map { "\n\($0)" } ?? ""))
    }
}

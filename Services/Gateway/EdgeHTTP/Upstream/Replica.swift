import NIOCore

/// One address of an upstream as one event loop uses it: its connections and its health.
final class Replica {
    let target: UpstreamGroup.Target
    /// The number of connections that are open or being opened.
    private(set) var openCount = 0
    private(set) var connectingCount = 0
    /// The idle connections. The one used last is taken first, so that unneeded ones grow old.
    private var idle: [UpstreamConnection] = []
    private var ejectedUntil = NIODeadline.uptimeNanoseconds(0)
    private var consecutiveFailures = 0
    /// Whether the last call of our own had no response. A frozen process still accepts connections.
    private(set) var isSilent = false
    private var silentUntil = NIODeadline.uptimeNanoseconds(0)
    /// The health of the address, as all event loops see it.
    let health: HealthRecord
    /// The requests of this loop that have been sent and got no byte of a response.
    var waitingCount = 0
    private var reportedWaitingCount = 0
    /// Whether any byte has arrived since the last look.
    var hasSent = false
    /// Whether the next request is the one that tries the address.
    private var hasTrial = false
    private let limits: UpstreamLimits
    private let keepAlive: KeepAliveRecord

    init(target: UpstreamGroup.Target, limits: UpstreamLimits, records: UpstreamGroup.Records) {
        self.target = target
        self.limits = limits
        (health, keepAlive) = (records.health, records.keepAlive)
    }

    /// The number of connections that carry a request or are being opened for one.
    var busyCount: Int { openCount - idle.count }
    var hasIdle: Bool { !idle.isEmpty }
    var hasRoom: Bool { hasIdle || openCount < limits.connectionsMax }

    /// Whether requests may be sent: its last responses were good, it accepted the last connection and responded to the last
    /// call, or it has been skipped for long enough and is not being tried right now (half-open).
    func isHealthy(now: NIODeadline) -> Bool {
        guard !health.isSkipped || health.mayBeTried(now: now) else { return false }
        if isSilent, now < silentUntil || busyCount > 0 { return false }
        return consecutiveFailures == 0 || (now >= ejectedUntil && connectingCount == 0)
    }

    /// Whether a request may be sent now. For a skipped address, that request is then the one that tries it.
    func claim(now: NIODeadline) -> Bool {
        guard health.isSkipped else { return true }
        hasTrial = health.beginTrial(now: now)
        return hasTrial
    }

    /// Whether the request that begins now tries the address; the next one does not.
    func takeTrial() -> Bool {
        guard hasTrial else { return false }
        hasTrial = false
        return true
    }

    /// Lets the next request try the address, if the one that was to try it is gone.
    func cancelTrial() {
        if takeTrial() { health.trialDidCancel(now: .now()) }
    }

    /// Reports this loop's part of a look at the address.
    func look(othersSent: Bool, now: NIODeadline) {
        health.look(change: waitingCount - reportedWaitingCount, hasSent: hasSent, othersSent: othersSent, now: now)
        (reportedWaitingCount, hasSent) = (waitingCount, false)
    }

    /// Withdraws this loop's part of the looks, because the address is no longer the upstream's.
    func leave(now: NIODeadline) {
        health.look(change: -reportedWaitingCount, hasSent: false, othersSent: false, now: now)
        reportedWaitingCount = 0
        closeIdle()
    }

    func callDidEnd() { isSilent = false }

    /// Skips the address, which left a call without a response.
    func callDidTimeOut(now: NIODeadline) {
        isSilent = true
        silentUntil = now + .milliseconds(limits.silenceMilliseconds)
    }

    /// Returns an idle connection on which no bytes have arrived. Others found on the way are closed.
    func takeIdle(now: NIODeadline) -> UpstreamConnection? {
        while let connection = popIdle(now: now) {
            if connection.idleSince + .seconds(limits.idleSeconds) > now, connection.isQuiet { return connection }
            close(connection)
        }
        return nil
    }

    /// Returns the idle connection used last. On trial it is the one that has rested longest, if that is long enough.
    private func popIdle(now: NIODeadline) -> UpstreamConnection? {
        switch keepAlive.trust(now: now) {
        case .full: return idle.popLast()
        case .onTrial:
            guard let first = idle.first else { return nil }
            if first.idleSince + .milliseconds(limits.trialRestMilliseconds) <= now { return idle.removeFirst() }
            // Without room a new connection needs the place of one that is still idle.
            if openCount >= limits.connectionsMax { close(idle.removeFirst()) }
            return nil
        case .withheld:
            closeIdle()
            return nil
        }
    }

    /// Whether connections go from one request to the next without a rest.
    func isTrusted(now: NIODeadline) -> Bool { keepAlive.trust(now: now) == .full }

    /// Whether a connection may be kept.
    func keepsConnections(now: NIODeadline) -> Bool { keepAlive.trust(now: now) != .withheld }

    /// Notes unsolicited bytes, and closes the idle connections, which may have some on the way too.
    func didDesynchronise(now: NIODeadline) {
        keepAlive.noteUnsolicited(now: now)
        closeIdle()
    }

    /// Keeps a connection for later, or closes it if there are enough.
    func keep(_ connection: UpstreamConnection) {
        guard idle.count < limits.idleConnectionsMax else { return close(connection) }
        connection.rest()
        idle.append(connection)
    }

    /// Removes an idle connection that the other side has closed.
    func forget(_ connection: UpstreamConnection) {
        guard let position = idle.lastIndex(where: { $0 === connection }) else { return }
        idle.remove(at: position)
        openCount -= 1
    }

    /// Notes that a connection has ended, or is about to.
    func connectionDidEnd() { openCount -= 1 }

    /// Closes connections that have been idle for too long.
    func closeOld(now: NIODeadline) {
        guard keepsConnections(now: now) else { return closeIdle() }
        let old = idle.prefix { $0.idleSince + .seconds(limits.idleSeconds) <= now }
        idle.removeFirst(old.count)
        for connection in old { close(connection) }
    }

    /// Closes all idle connections: the address is no longer the upstream's, or no longer to be trusted.
    func closeIdle() {
        let all = idle
        idle = []
        for connection in all { close(connection) }
    }

    func connectDidBegin() {
        openCount += 1
        connectingCount += 1
    }

    func connectDidSucceed() {
        connectingCount -= 1
        consecutiveFailures = 0
    }

    /// Skips the address, for twice as long each time.
    func connectDidFail(now: NIODeadline) {
        openCount -= 1
        connectingCount -= 1
        let pause = min(limits.ejectionMilliseconds << min(consecutiveFailures, 10), limits.ejectionMillisecondsMax)
        consecutiveFailures = min(consecutiveFailures + 1, 1000)
        ejectedUntil = now + .milliseconds(pause)
    }

    private func close(_ connection: UpstreamConnection) {
        openCount -= 1
        connection.close()
    }
}

import CoreMetrics
import NIOCore

/// The connections of one event loop: the memory that they make the gateway hold, and their handshakes. Each connection reports here
/// what it has read, written and holds, and its standing.
final class LoopCensus {
    /// The regular interval of looks at the connections.
    static let lookInterval: TimeAmount = .seconds(1)
    /// The number of transferred bytes after which the kernel's queues are looked at sooner. In a second they could fill all
    /// memory.
    private static let movedBytesMax = 16 << 20
    private static let lookIntervalMin: TimeAmount = .milliseconds(50)
    /// The connections in one step of a look, and the pause before the next step.
    private static let lookedAtOnce = 256
    private static let lookPause: TimeAmount = .milliseconds(1)

    let budget: MemoryBudget
    let handshakes = HandshakesUnderWay()
    private let eventLoop: any EventLoop
    private var connections: [any ClientConnection] = []
    /// The bytes of all its connections.
    private(set) var bytes = 0
    private var unreported = 0
    private var movedSinceLook = 0
    private var isLookScheduled = false
    /// The number of connections that the current look has not reached.
    private var leftToLookAt = 0
    private var nextSecond: NIODeadline
    private let sheds: [ConnectionRank: Counter]
    private let tooSlow = Dictionary(
        uniqueKeysWithValues: RateFloor.Awaited.allCases.map {
            ($0, Counter(label: "auth_edge_connections_too_slow_total", dimensions: [("awaited", "\($0)")]))
        })

    init(budget: MemoryBudget, eventLoop: any EventLoop) {
        self.budget = budget
        self.eventLoop = eventLoop
        nextSecond = .now() + Self.lookInterval
        sheds = Dictionary(
            uniqueKeysWithValues: ConnectionRank.allCases.map {
                ($0, Counter(label: "auth_edge_connections_shed_total", dimensions: [("state", "\($0)")]))
            })
        budget.register(self, of: eventLoop)
    }

    func add(_ connection: some ClientConnection) {
        connection.holdings.position = connections.count
        connections.append(connection)
        didProgress(connection)
    }

    func remove(_ connection: some ClientConnection) {
        guard let position = connection.holdings.position else { return }
        connection.holdings.position = nil
        connections.swapAt(position, connections.count - 1)
        connections.removeLast()
        if position < connections.count { connections[position].holdings.position = position }
        change(by: -connection.holdings.counted)
        connection.holdings.leave()
    }

    // MARK: Reports

    /// Notes bytes that the client sent.
    func didRead(_ count: Int, from connection: some ClientConnection) {
        connection.holdings.didRead(count)
        didMove(count)
    }

    /// Notes bytes that were written to the client.
    func didWrite(_ count: Int, to connection: some ClientConnection) {
        connection.holdings.didWrite(count)
        didMove(count)
    }

    /// Notes a connection's state after progress: its rank, the time, and the bytes that it holds.
    func didProgress(_ connection: some ClientConnection) {
        connection.slot.note(Standing(connection.rank, milliseconds: CoarseClock.milliseconds()))
        count(connection)
    }

    /// Counts the bytes that a connection holds.
    private func count(_ connection: some ClientConnection) {
        guard connection.holdings.position != nil else { return }
        let asksUpstream = connection.sendsUpstream || connection.holdings.hasUnsentUpstream
        let delta = connection.holdings.count(
            connection.ownBytes, on: connection.slot.channel,
            upstream: asksUpstream ? connection.upstreamChannel : nil)
        if delta != 0 { change(by: delta) }
    }

    private func change(by delta: Int) {
        bytes += delta
        unreported += delta
        guard unreported.magnitude >= UInt(MemoryBudget.reportedBytes) else { return }
        let delta = unreported
        unreported = 0
        budget.note(delta)
    }

    private func didMove(_ count: Int) {
        movedSinceLook &+= count
        guard movedSinceLook > Self.movedBytesMax, !isLookScheduled else { return }
        isLookScheduled = true
        eventLoop.assumeIsolated().scheduleTask(in: Self.lookIntervalMin) {
            self.isLookScheduled = false
            self.look()
        }
    }

    /// Counts a client that is disconnected for its rate.
    func countTooSlow(_ awaited: RateFloor.Awaited) { tooSlow[awaited]?.increment() }

    // MARK: Looks

    /// Asks how many bytes the kernel holds for connections that have been active.
    func look(now: NIODeadline = .now()) {
        movedSinceLook = 0
        // The last look is still under way.
        guard leftToLookAt == 0 else { return }
        let isNextSecond = now >= nextSecond
        if isNextSecond { nextSecond = now + Self.lookInterval }
        leftToLookAt = connections.count
        lookOn(isNextSecond: isNextSecond, isShort: budget.state != .ample)
    }

    /// Looks at some connections at a time, so that other work does not wait. It goes from the last to the first, since the last
    /// takes the place of one that ends.
    private func lookOn(isNextSecond: Bool, isShort: Bool) {
        let end = max(0, leftToLookAt - Self.lookedAtOnce)
        while leftToLookAt > end {
            leftToLookAt -= 1
            guard leftToLookAt < connections.count else { continue }
            look(at: connections[leftToLookAt], isNextSecond: isNextSecond, isShort: isShort)
        }
        guard end == 0 else {
            eventLoop.assumeIsolated().scheduleTask(in: Self.lookPause) {
                self.lookOn(isNextSecond: isNextSecond, isShort: isShort)
            }
            return
        }
        if isNextSecond { budget.maintain() }
    }

    private func look(at connection: any ClientConnection, isNextSecond: Bool, isShort: Bool) {
        let isWorthALook = connection.holdings.isWorthALook
        if isWorthALook {
            connection.holdings.look(
                at: connection.slot.channel, upstream: connection.upstreamChannel, isShort: isShort)
            count(connection)
        }
        guard isNextSecond else { return }
        if isWorthALook { connection.judgeRate() }
        connection.holdings.endSecond()
    }

    /// Closes the worst connections until so many bytes are free, or only those that hold more than an ordinary request.
    ///
    /// - Returns: how many were closed.
    func shed(_ excess: Int, sparesOrdinary: Bool) -> Int {
        guard excess > 0 else { return 0 }
        let candidates = connections.map { (connection: $0, order: $0.holdings.order(standing: $0.slot.standing)) }
            .filter { !sparesOrdinary || !$0.order.isSpared }
            .sorted { $0.order < $1.order }
        var (left, count) = (excess, 0)
        for (connection, _) in candidates where left > 0 {
            left -= connection.holdings.counted
            count += 1
            sheds[connection.rank]?.increment()
            connection.giveWay()
        }
        return count
    }
}

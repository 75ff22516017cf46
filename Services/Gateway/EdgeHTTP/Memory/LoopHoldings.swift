import CoreMetrics
import NIOCore

/// The memory that the connections of one event loop make the gateway hold.
final class LoopHoldings {
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
    private let eventLoop: any EventLoop
    private var connections: [any HeldConnection] = []
    /// The bytes of all its connections.
    private(set) var bytes = 0
    private var unreported = 0
    private var movedSinceLook = 0
    private var isLookScheduled = false
    /// The number of connections that the current look has not reached.
    private var leftToLookAt = 0
    private var nextSecond: NIODeadline
    private let sheds: [ConnectionStanding.Rank: Counter]
    private let tooSlow = Dictionary(
        uniqueKeysWithValues: RateFloor.Awaited.allCases.map {
            ($0, Counter(label: "auth_edge_connections_too_slow_total", dimensions: [("awaited", "\($0)")]))
        })

    init(budget: MemoryBudget, eventLoop: any EventLoop) {
        self.budget = budget
        self.eventLoop = eventLoop
        nextSecond = .now() + Self.lookInterval
        sheds = Dictionary(
            uniqueKeysWithValues: ConnectionStanding.Rank.allCases.map {
                ($0, Counter(label: "auth_edge_connections_shed_total", dimensions: [("state", "\($0)")]))
            })
        budget.register(self, of: eventLoop)
    }

    func add(_ connection: any HeldConnection) {
        connection.holdings.position = connections.count
        connections.append(connection)
        connection.noteHoldings()
    }

    func remove(_ connection: any HeldConnection) {
        guard let position = connection.holdings.position else { return }
        connection.holdings.position = nil
        connections.swapAt(position, connections.count - 1)
        connections.removeLast()
        if position < connections.count { connections[position].holdings.position = position }
        change(by: -connection.holdings.counted)
        connection.holdings.leave()
    }

    /// Notes that a connection holds `delta` more bytes, or fewer if it is negative.
    func change(by delta: Int) {
        bytes += delta
        unreported += delta
        guard unreported.magnitude >= UInt(MemoryBudget.reportedBytes) else { return }
        let delta = unreported
        unreported = 0
        budget.note(delta)
    }

    /// Notes bytes that were transferred.
    func didMove(_ count: Int) {
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

    private func look(at connection: any HeldConnection, isNextSecond: Bool, isShort: Bool) {
        let isWorthALook = connection.holdings.isWorthALook
        if isWorthALook { connection.look(isShort: isShort) }
        guard isNextSecond else { return }
        if isWorthALook { connection.judgeRate() }
        connection.holdings.endSecond()
    }

    /// Closes the worst connections until so many bytes are free, or only those that hold more than an ordinary request.
    ///
    /// - Returns: how many were closed.
    func shed(_ excess: Int, sparesOrdinary: Bool) -> Int {
        guard excess > 0 else { return 0 }
        let costs = connections.map { ShedOrder.Cost($0.holdings) }
        let chosen = ShedOrder.worst(of: costs, toFree: excess, sparesOrdinary: sparesOrdinary)
            .map { connections[$0] }
        for connection in chosen {
            sheds[connection.rank]?.increment()
            connection.shed()
        }
        return chosen.count
    }
}

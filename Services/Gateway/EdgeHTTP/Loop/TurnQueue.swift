import NIOCore

/// An object that does a limited amount of work at once, and continues when others have had their turn.
protocol TurnTaker: AnyObject {
    /// Takes the next turn.
    func takeTurn()
}

/// Connections of one event loop with work left after their turn. Each continues once the loop has handled its sockets.
///
/// A task that is executed from within a task runs before the loop handles sockets again, so two busy connections could pass the
/// loop to each other for ever. A timer that is not due yet lets the loop handle sockets.
final class TurnQueue {
    /// The number of turns between two rounds of the loop over its sockets.
    static let turnsMax = 2
    /// The delay of the timer. It only has to be in the future when the timer is set.
    private static let pause: TimeAmount = .microseconds(50)

    private let eventLoop: any EventLoop
    private var waiting = CircularBuffer<any TurnTaker>()
    private var isScheduled = false

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Schedules a call of the connection's `takeTurn()`. A connection requests one turn at a time.
    func add(_ connection: any TurnTaker) {
        waiting.append(connection)
        schedule()
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { self.giveTurns() }
    }

    private func giveTurns() {
        for _ in 0..<min(waiting.count, Self.turnsMax) { waiting.removeFirst().takeTurn() }
        // The timer is set after the turns, so that it is not due already if they took long.
        isScheduled = false
        if !waiting.isEmpty { schedule() }
    }
}

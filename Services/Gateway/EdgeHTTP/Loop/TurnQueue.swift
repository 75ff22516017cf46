import NIOCore

/// Who does so much work at once, and goes on when others have had their turn.
protocol TurnTaker: AnyObject {
    /// The next turn has come.
    func takeTurn()
}

/// Connections of one event loop with work left after their turn: each goes on once the loop has looked at its sockets.
///
/// A task that is executed from within a task runs before the loop looks at sockets again, so that two busy connections could
/// hand the loop to each other for ever. A timer that is not due yet lets it look.
final class TurnQueue {
    /// Turns that are given between two looks at the sockets.
    static let turnsMax = 8
    /// Only has to lie in the future when it is set.
    private static let pause: TimeAmount = .microseconds(50)

    private let eventLoop: any EventLoop
    private var waiting = CircularBuffer<any TurnTaker>()
    private var isScheduled = false

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Calls the connection's `takeTurn()` later; it asks once at a time.
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
        // Set after the turns, so that it is not due when they have taken long.
        isScheduled = false
        if !waiting.isEmpty { schedule() }
    }
}

import NIOCore

/// One deadline that is moved often and reached seldom.
///
/// Moving it later costs a comparison: the timer that is set already fires early, finds that there is time left, and is set again.
/// To schedule and cancel a timer for every request would cost more than parsing it.
final class DeadlineTimer {
    private let eventLoop: any EventLoop
    private var deadline: NIODeadline?
    private var armed: (at: NIODeadline, task: Scheduled<Void>)?
    /// Called on the event loop each time a deadline is reached; released by `end()`.
    var onExpiry: (() -> Void)?

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Sets a new deadline.
    func set(_ deadline: NIODeadline) {
        self.deadline = deadline
        guard let armed, armed.at <= deadline else { return arm(deadline) }
    }

    /// Sets the deadline to `seconds` from now.
    func set(seconds: Int64) { set(.now() + .seconds(seconds)) }

    /// Removes the deadline.
    func clear() { deadline = nil }

    /// Ends the timer for good.
    func end() {
        deadline = nil
        armed?.task.cancel()
        armed = nil
        onExpiry = nil
    }

    private func arm(_ deadline: NIODeadline) {
        armed?.task.cancel()
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.fire() }
        armed = (deadline, task)
    }

    private func fire() {
        armed = nil
        guard let deadline else { return }
        guard deadline <= .now() else { return arm(deadline) }
        self.deadline = nil
        onExpiry?()
    }
}

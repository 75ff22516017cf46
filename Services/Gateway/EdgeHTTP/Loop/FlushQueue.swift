import NIOCore

/// Connections of one event loop whose written bytes go out together, once the loop has looked at the sockets that are ready.
///
/// What sleeps on the other side is woken by the first send; sends close behind find it awake, and cost half as much.
final class FlushQueue {
    /// More than these do not wait for the others.
    private static let connectionsMax = 32

    private let eventLoop: any EventLoop
    private var waiting: [any Channel] = []

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        waiting.reserveCapacity(Self.connectionsMax)
    }

    /// Flushes `channel` before the loop waits for sockets again.
    func add(_ channel: any Channel) {
        waiting.append(channel)
        if waiting.count == Self.connectionsMax { return flush() }
        if waiting.count == 1 { eventLoop.assumeIsolated().execute { self.flush() } }
    }

    private func flush() {
        let channels = waiting
        waiting.removeAll(keepingCapacity: true)
        for channel in channels { channel.flush() }
    }
}

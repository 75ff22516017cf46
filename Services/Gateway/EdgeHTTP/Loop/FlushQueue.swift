import NIOCore

/// Connections of one event loop whose written bytes are sent together, once the loop has handled the sockets that are ready.
///
/// The first send wakes the process at the other side. Sends that follow at once find it awake, and cost half as much.
final class FlushQueue {
    /// The greatest number of connections that wait for each other.
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

import Synchronization

/// The number of messages that a process is sending.
final class SendLoad: Sendable {
    static let inFlightMax = 512
    /// The greatest number of connections to one provider.
    static let connectionsMax = 128

    private let limit: Int
    private let inFlight = Mutex(0)

    init(limit: Int = SendLoad.inFlightMax) { self.limit = limit }

    /// Reserves a place for a message, which `leave` releases, or returns `false` if there is none.
    func enter() -> Bool {
        inFlight.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func leave() { inFlight.withLock { $0 -= 1 } }
}

import Synchronization

/// How many messages a process has on their way.
final class SendLoad: Sendable {
    static let inFlightMax = 512
    /// Connections to one provider.
    static let connectionsMax = 128

    private let limit: Int
    private let inFlight = Mutex(0)

    init(limit: Int = SendLoad.inFlightMax) { self.limit = limit }

    /// Takes a place for a message, which `leave` gives back; false: there is none.
    func enter() -> Bool {
        inFlight.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func leave() { inFlight.withLock { $0 -= 1 } }
}

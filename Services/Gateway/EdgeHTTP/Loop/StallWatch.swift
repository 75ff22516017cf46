import CallDeadlines

/// Notices that an event loop did not run for long, because its process was frozen or its host suspended.
///
/// Requests that arrived meanwhile wait in the sockets. Their clients may have given up, and renewed the session elsewhere, so that
/// a refresh that is carried out so late would present a token that counts as stolen. Connections from before the end of a stall
/// therefore carry out no further request.
final class StallWatch {
    /// The longest time that counts as no stall, in nanoseconds. It is more than a busy host takes, and less than clients need to
    /// renew a session twice.
    static let limit: Int64 = 15_000_000_000
    /// How long after a stall a connection may be accepted that has waited in the kernel's queue since before its end.
    private static let queueLimit: Int64 = 60_000_000_000

    /// Nanoseconds of `BootClock`, which also counts while the host is suspended; tests set it.
    var now: () -> Int64 = BootClock.nanoseconds
    private var ranAt: Int64
    /// The end of the latest stall by that clock; 0 if there was none.
    private(set) var end: Int64 = 0
    private let didStall: (_ seconds: Int64) -> Void

    /// - Parameter didStall: Called once at the end of a stall.
    init(didStall: @escaping (_ seconds: Int64) -> Void) {
        self.didStall = didStall
        ranAt = BootClock.nanoseconds()
    }

    /// Notes that the loop runs.
    func note() {
        let (now, last) = (now(), ranAt)
        ranAt = now
        guard now - last > Self.limit else { return }
        end = now
        didStall((now - last) / 1_000_000_000)
    }

    /// Returns the time since which bytes of a new connection may wait to be read.
    ///
    /// - Parameter silentMilliseconds: how long ago its last bytes arrived; called only soon after a stall.
    func beginning(silentMilliseconds: () -> Int64) -> Int64 {
        let now = now()
        guard end > 0, now - end < Self.queueLimit else { return now }
        return now - silentMilliseconds() * 1_000_000
    }
}

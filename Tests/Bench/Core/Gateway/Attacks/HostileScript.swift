import NIOCore

/// The script of one hostile connection: what it sends, how it reads, and how it closes.
struct HostileScript: Sendable, Equatable {
    /// How the connection reads responses.
    enum Reading: Sendable, Equatable {
        case all
        case nothing
        /// Bytes in a second.
        case slowly(Int)
    }

    enum Ending: Sendable, Equatable {
        /// Open until the server ends it.
        case never
        /// Our half alone.
        case half(after: TimeAmount)
        case whole(after: TimeAmount)
        case reset(after: TimeAmount)
        /// By a reset, as soon as anything is answered or after so long.
        case answered(orAfter: TimeAmount)
    }

    /// Sent first.
    var opening: [UInt8] = []
    /// Sent after that, again and again.
    var repeated: [UInt8] = []
    /// How often.
    var repeats = 0
    /// Between two of them; zero: as soon as the kernel takes the next.
    var pause = TimeAmount.zero
    var reading = Reading.all
    var ending = Ending.never
}

/// Hostile connections, as many at once as there are to be.
struct HostilePlan: Sendable {
    var scripts: [HostileScript]
    /// They take the scripts in turn.
    var count: Int
    /// The number of loopback addresses, which the connections also use in turn.
    var addressCount: Int
    var opensPerSecond = 1000
    /// Whether one that the server has ended is opened anew.
    var reopens = false
    /// Each begins its script when its handshake is through; nil for plain connections.
    var tls: LoadTLS?

    func script(_ number: Int) -> HostileScript { scripts[number % scripts.count] }

    /// 127.0.0.2 and on.
    func address(_ number: Int) -> String {
        let (third, fourth) = (2 + number % addressCount).quotientAndRemainder(dividingBy: 250)
        return "127.0.\(third).\(fourth + 1)"
    }
}

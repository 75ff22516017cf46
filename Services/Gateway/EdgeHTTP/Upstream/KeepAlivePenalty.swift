import NIOCore

/// Decides how long connections to one address are not used again, after unsolicited bytes arrived on one.
///
/// The next request on such a connection would take them for its response, and one user would see the data of another.
struct KeepAlivePenalty: Sendable, Equatable {
    static let firstSeconds: Int64 = 60
    static let secondsMax: Int64 = 3600
    /// How long the address is on trial after a penalty.
    static let trialSeconds: Int64 = 30

    enum Trust: Sendable, Equatable {
        /// Connections are used again.
        case full
        /// Connections are used again only after a rest without any bytes.
        case onTrial
        /// Each connection carries one request.
        case withheld
    }

    /// The end of the last penalty; `nil` if there has been none.
    private var endsAt: NIODeadline?
    private var seconds: Int64 = 0

    /// The time from which the address is fully trusted again; `nil` if it always was.
    var trustedFrom: NIODeadline? { endsAt.map { $0 + .seconds(Self.trialSeconds) } }

    func trust(now: NIODeadline) -> Trust {
        guard let endsAt, let trustedFrom, now < trustedFrom else { return .full }
        return now < endsAt ? .withheld : .onTrial
    }

    /// Notes unsolicited bytes and begins a penalty.
    ///
    /// A penalty is twice as long as the one before if it begins within that one's length after its end.
    /// - Returns: the seconds of the penalty that begins now; `nil` if one is running.
    mutating func offend(now: NIODeadline) -> Int64? {
        if let endsAt, now < endsAt { return nil }
        let goesOn = endsAt.map { now < $0 + .seconds(seconds) } ?? false
        seconds = goesOn ? min(2 * seconds, Self.secondsMax) : Self.firstSeconds
        endsAt = now + .seconds(seconds)
        return seconds
    }
}

import NIOCore

/// Decides how long connections to one address are not used again, after bytes came on one that nobody had asked for.
///
/// The next request on such a connection would take them for its answer: one user would see what is another's.
struct KeepAlivePenalty: Sendable, Equatable {
    static let firstSeconds: Int64 = 60
    static let secondsMax: Int64 = 3600
    /// How long after a penalty the address is on trial.
    static let trialSeconds: Int64 = 30

    enum Trust: Sendable, Equatable {
        /// Connections are used again.
        case full
        /// Connections are used again only after a rest in which nothing came.
        case onTrial
        /// Each connection carries one request.
        case withheld
    }

    /// When the last penalty ends; nil if there has been none.
    private var endsAt: NIODeadline?
    private var seconds: Int64 = 0

    /// When the address is trusted again in full; nil if it always was.
    var trustedFrom: NIODeadline? { endsAt.map { $0 + .seconds(Self.trialSeconds) } }

    func trust(now: NIODeadline) -> Trust {
        guard let endsAt, let trustedFrom, now < trustedFrom else { return .full }
        return now < endsAt ? .withheld : .onTrial
    }

    /// Takes note that bytes came which nobody had asked for.
    ///
    /// A penalty that follows its forerunner within the time that one took is twice as long.
    /// - Returns: the seconds of the penalty that begins now; nil while one runs.
    mutating func offend(now: NIODeadline) -> Int64? {
        if let endsAt, now < endsAt { return nil }
        let goesOn = endsAt.map { now < $0 + .seconds(seconds) } ?? false
        seconds = goesOn ? min(2 * seconds, Self.secondsMax) : Self.firstSeconds
        endsAt = now + .seconds(seconds)
        return seconds
    }
}

/// The machine's times.
enum MachineRules {
    /// The time before the end of an access token at which it is renewed, unless the app says otherwise.
    static let early: Duration = .seconds(300)
    /// A token with less than this left is not given away while a newer one can be had.
    static let usable: Duration = .seconds(30)
    /// The time between two renewals of a session, by any process. The server's rule for late copies relies on it: a request
    /// lives for 20 seconds, so no request is older than one renewal.
    static let spacing: Duration = .seconds(30)
    /// A date that lies this far before the record's own says that the clock was set back.
    static let clockTolerance: Int64 = 60
    /// The longest wait after failures, unless the server asks for more.
    static let waitMax = 60.0
    /// The longest wait that a server can ask for.
    static let retryAfterMax = 3600.0
    /// The time for which a sign-out is kept that the server has not confirmed: 30 days, in seconds.
    static let keptMax: Int64 = 2_592_000
    /// The number of sign-outs that are kept. Each was made by a user, so a few are enough.
    static let keptCount = 3
    /// The longest delay after a return to the foreground, so that not all apps renew at the same moment.
    static let wakeMax = 3.0

    /// The wait after failures in a row, in seconds.
    /// - Parameter jitter: random, 0 to 1; spreads the wait by a fifth to both sides.
    static func wait(tries: Int, retryAfter: Duration?, jitter: Double) -> Double {
        let growing = min(waitMax, Double(1 << min(tries, 10))) * (0.8 + 0.4 * jitter)
        return max(growing, min(retryAfterMax, retryAfter?.inSeconds ?? 0))
    }
}

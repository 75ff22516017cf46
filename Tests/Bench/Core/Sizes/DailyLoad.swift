/// The actions of a deployment's users in a day.
struct DailyLoad: Sendable, Equatable {
    /// The busiest hour has this share of the day.
    private static let busiestShare = 0.1
    private static let secondsPerHour = 3600.0

    let users: Double
    let sessions: Double
    let signIns: Double
    let refreshes: Double
    /// Requests with a token that the gateways pass on.
    let requests: Double

    /// Creates a load, with usual values in place of 0: one session per user, a sign-in in 30 days, and of every third user 10 refreshes and
    /// 100 requests a day.
    init(users: Int, sessions: Int = 0, signIns: Int = 0, refreshes: Int = 0, requests: Int = 0) {
        func value(_ given: Int, _ usual: Double) -> Double { given > 0 ? Double(given) : usual }
        self.users = Double(users)
        self.sessions = value(sessions, self.users)
        self.signIns = value(signIns, self.users / 30)
        self.refreshes = value(refreshes, self.users / 3 * 10)
        self.requests = value(requests, self.users / 3 * 100)
    }

    /// Returns the rate per second in the busiest hour.
    static func busiest(_ perDay: Double) -> Double { perDay * busiestShare / secondsPerHour }
}

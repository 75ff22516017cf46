import AccessTokens

extension Setting {
    static let json = Setting("json", .text, "Append each figure as a JSON line to this file.")
    static let noBound = Setting("no-bound", .flag, "Only measure: a missed bound is printed and does not fail.")
    static let rounds = Setting(
        "rounds", .number(1...100, usually: 5),
        "Rounds, or at least \(Pairs.least) pairs, of what is measured in several")
    static let common = [json, noBound, rounds]

    static let against = Setting(
        "against", .text,
        "Measure the processes in this folder too, in turn with ours, and judge by how much ours are worse.")
    static let atMost = Setting(
        "at-most", .decimal,
        "What the lower quartile of the ratios may be, or of megabytes more; in place of the usual bounds.")
    static let comparison = [against, atMost]

    // MARK: - Loads

    static let signIns = Setting("sign-ins", .number(1...1_000_000, usually: 40_000), "Different users who sign in")
    static let connections = Setting(
        "connections", .number(1...256, usually: 32), "Keep-alive connections, each with one request at a time")
    static let signInWay = Setting(
        "by", .choice(SignInWay.allCases.map(\.rawValue)),
        "email, apple or passkey: compared with sign-ins by phone, in turn")
    static let engine = Setting(
        "engine", .choice(["sqlite", "postgres"]), "postgres: compared with SQLite, or with --against by both builds")
    static let logouts = Setting("logouts", .number(1...100_000, usually: 1000), "Sessions that are ended")
    static let rotations = Setting("rotations", .number(1000...10_000_000, usually: 30_000), "Refreshes in one round")
    static let clients = Setting(
        "clients", .number(1...256, usually: 32), "Connections that refresh, each with sessions of its own")
    static let sessions = Setting(
        "sessions", .number(10_000...10_000_000, usually: 1_000_000, orNone: true), "Sessions of the second stack")
    static let algorithm = Setting(
        "algorithm", .choice(["RS256", "ES256", "EdDSA", "HS256"], isRepeated: true),
        "Algorithm of the access tokens; HS256 and RS256 by default")
    static let dialect = Setting("dialect", .choice(RefreshCall.others.map(\.name)), "Only this one")
    static let capSignIns = Setting("sign-ins", .number(1...1_000_000, usually: 10_000), "Sign-ins of the one user")
    static let sessionsMax = Setting(
        "sessions-max", .number(1...1000, usually: 100), "Sessions that the policy lets a user have")
    static let logins = Setting("logins", .number(1...100_000, usually: 2000), "Logins that are counted")
    static let users = Setting("users", .number(100...10_000_000, usually: 100_000), "Users who are imported")
    static let copiedUsers = Setting("users", .number(1000...10_000_000, usually: 200_000), "Users with a session")
    static let refreshRate = Setting("rate", .number(1...10_000, usually: 200), "Refreshes in a second")
    static let copyTo = Setting("to", .text, "A folder on another disk for the copy, such as /dev/shm.")
    static let roundSeconds = Setting("seconds", .number(1...600, usually: 10), "Seconds of one round")
    static let sizeUsers = Setting("users", .number(1...1_000_000_000, usually: 1_000_000), "Users with an account")
    static let sizeSessions = perDay("sessions", "Sessions that are stored; 0: one per user")
    static let sizeSignIns = perDay("sign-ins", "Sign-ins a day; 0: one per user in 30 days")
    static let sizeRefreshes = perDay("refreshes", "Refreshes a day; 0: 10 for every third user")
    static let sizeRequests = perDay("requests", "Requests with a token a day; 0: 100 for every third user")
    static let from = Setting("from", .text, "Costs from this file, which --json has written, in place of ours.")
    static let part = Setting(
        "only", .choice(SendersBench.Part.allCases.map(\.rawValue), isRepeated: true), "Only this part")

    private static func perDay(_ name: String, _ help: String) -> Setting {
        Setting(name, .number(1...1_000_000_000_000, usually: 0, orNone: true), help)
    }

    // MARK: - The edge

    static let edgeSeconds = Setting("seconds", .number(1...60, usually: 5), "Seconds of one edge in one round")
    static let tokens = Setting("tokens", .number(1...100_000, usually: 1000), "Different tokens that come in turn")
    static let once = Setting(
        "once", .number(1000...100_000, usually: 20_000, orNone: true), "Tokens of which each comes once, a round")
    static let tls = Setting("tls", .flag, "Over TLS 1.3, with handshakes.")
    static let http2 = Setting("h2", .flag, "Only requests over HTTP/2.")
    static let traced = Setting(
        "traced", .flag,
        "Only compare a gateway that traces one request in 100, to a collector that hangs, with one that traces none.")
    static let byCookie = Setting("by-cookie", .flag, "Only compare tokens in a cookie with tokens in Authorization.")
    static let idleConnections = Setting("connections", .number(1...15_000, usually: 10_000), "Idle connections")
    static let requests = Setting(
        "requests", .number(1_000_000...1_000_000_000, usually: 10_000_000, orNone: true),
        "Requests over which nothing may grow")
    static let attackSeconds = Setting(
        "seconds", .number(5...600, usually: 15), "Seconds of one attack, besides opening its connections")
    static let attack = Setting(
        "only",
        .choice(AttackBench.allNames, isRepeated: true),
        "Only this attack")
    static let noPeers = Setting("no-peers", .flag, "Without HAProxy and nginx.")
    static let minutes = Setting("minutes", .number(1...1440, usually: 30), "How long, about")
    static let seed = Setting(
        "seed", .number(0...Int.max, usually: 0), "Of the first round; each later one has the next; random by default")
}

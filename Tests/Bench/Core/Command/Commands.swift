import AccessTokens
import FoundationEssentials

extension Command {
    static let all: [Command] = [
        Command("calibrate", "what signatures, an HTTP request and a durable commit cost this machine") { options in
            [Part("calibrate: CPU of one operation") { try await Calibration.run(rounds: options.number(.rounds)) }]
        },
        Command("start", "how long each process takes to be ready, and its memory when idle", Setting.comparison) {
            options in
            [
                try Other.part("start", options, StartBench.againstBounds, StartBench.run(against:pairs:_:))
                    ?? Part("start: each process until it is ready, and its memory when idle") {
                        try await StartBench.run(rounds: options.number(.rounds))
                    }
            ]
        },
        Command(
            "signin", "what one sign-in costs: request and verify through the gateway",
            [.signIns, .connections, .signInWay, .engine] + Setting.comparison
        ) { options in
            let bench = options.signIns
            let way = options.text(.signInWay).flatMap { SignInWay(rawValue: $0) } ?? .phone
            if options.isOnPostgreSQL, !options.has(.against) {
                let pairs = try options.pairs()
                return [Part("signin: on PostgreSQL against SQLite") { try await bench.runOnPostgreSQL(pairs: pairs) }]
            }
            if way == .passkey {
                let pairs = try options.pairs()
                return [
                    Part("signin: by passkey against by code, of users with an account") {
                        try await bench.runByPasskey(pairs: pairs)
                    }
                ]
            }
            if way != .phone {
                let pairs = try options.pairs()
                return [
                    Part("signin: by \(way.rawValue) against by phone") { try await bench.run(by: way, pairs: pairs) }
                ]
            }
            let usual = Part("signin: \(bench.count) sign-ins over \(bench.connectionCount) connections; CPU of one") {
                try await bench.run()
            }
            return [try Other.part("signin", options, SignInBench.againstBounds, bench.run(against:pairs:_:)) ?? usual]
        },
        Command(
            "revocation", "how long a revoked token is still accepted, and what the list of revocations costs",
            [.logouts]
        ) { options in
            [
                Part("revocation: a gateway's copy with \(ReplicaCost.entryCount) revocations") {
                    try ReplicaCost.measure(rounds: options.number(.rounds))
                },
                Part("revocation: sign-outs and requests of others, at two gateways") {
                    try await RevocationBench(count: options.number(.logouts)).run()
                },
            ]
        },
        Command(
            "otp", "sign-ins in a second, others during a flood of refused requests, a million numbers in Redis",
            [.signIns, .connections]
        ) { options in
            [
                Part("otp: sign-ins in a second, and others during a flood of refused requests") {
                    try await OTPBench(signIns: options.signIns).load()
                },
                Part("otp: a million numbers in 128 MB of Redis") { try await FullRedis.run() },
            ]
        },
        Command(
            "tokens", "what a durable refresh costs through the gateway, with a thousand and a million sessions",
            [.rotations, .clients, .sessions, .algorithm, .engine] + Setting.comparison, parts: tokens),
        Command(
            "passwords", "what a login costs besides its hash, and how others fare while hundreds log in at once",
            [.logins]
        ) { options in
            [
                Part("passwords: the CPU of one login, and others during a flood") {
                    try await PasswordBench(loginCount: options.number(.logins)).run()
                }
            ]
        },
        Command(
            "cap", "how others fare while one user signs in again and again, and is signed out everywhere",
            [.capSignIns, .sessionsMax]
        ) { options in
            let bench = CapBench(signInCount: options.number(.capSignIns), sessionsMax: options.number(.sessionsMax))
            return [Part("cap: \(bench.signInCount) sign-ins of one user, and the end of all sessions", bench.run)]
        },
        Command("imports", "how others sign in while users are imported, through a kill and a second run", [.users]) {
            let bench = ImportBench(userCount: $0.number(.users))
            return [Part("imports: \(bench.userCount) users, in two runs, while others sign in", bench.run)]
        },
        Command("events", "what an event for the app's back end costs user-service, in a burst", [.users]) {
            let bench = EventBench(count: $0.number(.users))
            return [Part("events: \(bench.count) events of as many users; CPU of one", bench.run)]
        },
        Command(
            "copier", "how refreshes fare while the databases are copied, and how old the copy becomes",
            [.copiedUsers, .refreshRate, .roundSeconds, .copyTo]
        ) { options in
            let bench = CopierBench(
                userCount: options.number(.copiedUsers), perSecond: Double(options.number(.refreshRate)),
                seconds: Double(options.number(.roundSeconds)), pairCount: try options.pairs(),
                targetFolder: options.text(.copyTo))
            return [Part("copier: \(bench.userCount) users, with a copier and without, in turn", bench.run)]
        },
        Command(
            "dialects", "what a refresh costs through each dialect and by cookie, compared with the native one",
            [.rotations, .clients, .dialect]
        ) { options in
            let (pairs, only) = (try options.pairs(), options.text(.dialect))
            return RefreshCall.others.filter { only == nil || only == $0.name }.map { call in
                let bench = DialectsBench(
                    call: call, pairCount: pairs, rotationCount: options.number(.rotations),
                    connectionCount: options.number(.clients))
                return Part("dialects: refreshes through \(call.name) and native; CPU of one", bench.run)
            }
        },
        Command(
            "senders", "a spend guard, Twilio Messaging, and providers that are slow or hang",
            [.signIns, .connections, .part]
        ) { options in
            let bench = SendersBench(signIns: options.signIns, pairCount: try options.pairs())
            let only = options.words(.part)
            return SendersBench.Part.allCases.filter { only.isEmpty || only.contains($0.rawValue) }.map { part in
                Part("senders: \(part.title)") { try await bench.run(part) }
            }
        },
        Command(
            "gateway", "what a request with a token costs the gateway, HAProxy and Envoy",
            [.edgeSeconds, .tokens, .once, .tls, .http2, .byCookie, .traced, .idleConnections] + Setting.comparison,
            parts: gateway),
        Command(
            "edge-memory", "the gateway's memory: streams, idle connections, millions of requests",
            [.idleConnections, .requests] + Setting.comparison
        ) { options in
            let bench = EdgeMemoryBench(
                connectionCount: options.number(.idleConnections), requestCount: options.number(.requests))
            let usual = Part("edge-memory: \(bench.connectionCount) idle connections, \(bench.requestCount) requests") {
                try await bench.run()
            }
            return [try Other.part("edge-memory", options, [:], bench.run(against:pairs:_:)) ?? usual]
        },
        Command(
            "attacks", "what hostile clients make the gateway hold, and how others fare meanwhile",
            [.attackSeconds, .attack, .noPeers, .tls]
        ) { options in
            let isOverTLS = options.has(.tls)
            for name in options.words(.attack) where !AttackBench.names(isOverTLS: isOverTLS).contains(name) {
                throw Options.Wrong(description: "there is no attack \(name) with\(isOverTLS ? "" : "out") --tls")
            }
            let bench = AttackBench(
                seconds: options.number(.attackSeconds), only: options.words(.attack),
                hasPeers: !options.has(.noPeers), isOverTLS: isOverTLS)
            return [Part("attacks: a gateway with \(AttackedGateway.givenMegabytes) MB", adding: bench.run)]
        },
        Command(
            "fuzz", "crowds of clients that behave as a seed says: looks for one that costs too much",
            [.minutes, .seed]
        ) { options in
            // A round has 8 s; opening a crowd's connections takes a few seconds more.
            let rounds = options.has(.rounds) ? options.number(.rounds) : options.number(.minutes) * 6
            let seed = options.has(.seed) ? options.number(.seed) : Int.random(in: 0..<1_000_000_000)
            let fuzz = ClientFuzz(seed: UInt64(seed), rounds: rounds, seconds: 8)
            return [
                Part("fuzz: \(rounds) crowds from seed \(seed) on") {
                    let outcome = try await fuzz.run { Report.say("  \($0)") }
                    for finding in outcome.findings { Report.say("  finding: \(finding)") }
                    return outcome.figures
                }
            ]
        },
        Command(
            "size", "what a number of users needs, computed from measured costs; measures nothing",
            [.sizeUsers, .sizeSessions, .sizeSignIns, .sizeRefreshes, .sizeRequests, .from]
        ) { options in
            let load = DailyLoad(
                users: options.number(.sizeUsers), sessions: options.number(.sizeSessions),
                signIns: options.number(.sizeSignIns), refreshes: options.number(.sizeRefreshes),
                requests: options.number(.sizeRequests))
            let costs = try options.costs()
            return [Part("size: the busiest hour of a day") { Size(load: load, costs: costs).figures }]
        },
    ]

    private static func tokens(_ options: Options) throws -> [Part] {
        let isInPairs = options.isOnPostgreSQL || options.has(.against)
        let algorithms = options.words(.algorithm).compactMap { SignatureAlgorithm(rawValue: $0) }
        return try (algorithms.isEmpty ? [.HS256, .RS256] : algorithms).map { algorithm in
            let bench = TokensBench(
                algorithm: algorithm, rounds: isInPairs ? try options.pairs() : options.number(.rounds),
                rotationCount: options.number(.rotations), connectionCount: options.number(.clients),
                manyCount: options.number(.sessions), isOnPostgreSQL: options.isOnPostgreSQL)
            let title = "refreshes over \(bench.connectionCount) connections, access tokens with \(algorithm.rawValue)"
            if options.isOnPostgreSQL, !options.has(.against) {
                return Part("tokens: on PostgreSQL against SQLite, \(title)", adding: bench.runOnPostgreSQL)
            }
            return try Other.part("tokens", options, TokensBench.againstBounds) { other, _, bounds in
                try await bench.run(against: other, bounds)
            } ?? Part("tokens: \(title)", adding: bench.run)
        }
    }

    private static func gateway(_ options: Options) throws -> [Part] {
        let (isOverTLS, isByCookie, isAgainst) = (options.has(.tls), options.has(.byCookie), options.has(.against))
        let (isOverHTTP2, isTraced) = (options.has(.http2), options.has(.traced))
        guard [isAgainst, isOverTLS, isOverHTTP2, isByCookie, isTraced].count(where: { $0 }) < 2 else {
            throw Options.Wrong(description: "--against, --tls, --h2, --by-cookie and --traced do not go together")
        }
        let bench = GatewayBench(
            rounds: isAgainst || isByCookie || isTraced ? try options.pairs() : options.number(.rounds),
            seconds: options.number(.edgeSeconds), tokenCount: options.number(.tokens),
            onceCount: isOverTLS || isByCookie || isTraced ? 0 : options.number(.once))
        if isByCookie {
            return [Part("gateway: tokens in a cookie against tokens in Authorization", bench.runByCookie)]
        }
        if isTraced { return [Part("gateway: one request in 100 traced against none", bench.runTraced)] }
        let usual = Part("gateway: CPU of one request\(isOverTLS ? " over TLS 1.3, handshakes, idle connections" : "")")
        {
            add in
            try await bench.run(
                tlsIdleCount: isOverTLS ? options.number(.idleConnections) : nil, isOverHTTP2: isOverHTTP2, add)
        }
        let other = try Other.part("gateway", options, GatewayBench.againstBounds) { other, _, bounds in
            try await bench.run(against: other, bounds)
        }
        return [other ?? usual]
    }
}

extension Options {
    fileprivate var signIns: SignInBench {
        SignInBench(
            count: number(.signIns), connectionCount: number(.connections), isOnPostgreSQL: isOnPostgreSQL)
    }

    fileprivate var isOnPostgreSQL: Bool { text(.engine) == "postgres" }

    /// The costs of a file, or ours.
    fileprivate func costs() throws -> MeasuredCosts {
        guard let file = text(.from) else { return .ours }
        do {
            return try MeasuredCosts.ours.replaced(by: String(contentsOfFile: file, encoding: .utf8))
        } catch {
            throw Options.Wrong(description: "\(file) is no file that --json has written: \(error)")
        }
    }
}

/// The other build of a comparison.
private enum Other {
    /// The part that measures `run` with the build that `--against` names; nil when nothing is to be compared.
    ///
    /// - Parameters:
    ///   - usual: the bounds unless `--at-most` replaces them.
    ///   - run: is given the build, how many pairs, and the bounds.
    static func part(
        _ command: String, _ options: Options, _ usual: [String: Double],
        _ run: @escaping @Sendable (Build, Int, [String: Double]) async throws -> [Figure]
    ) throws -> Command.Part? {
        guard let folder = options.text(.against) else { return nil }
        let (build, pairs) = (try Build(in: folder), try options.pairs())
        let atMost = options.text(.atMost).flatMap { Double($0) }
        return Command.Part("\(command): this build against \(folder), \(pairs) pairs in turn") {
            try await run(build, pairs, usual.mapValues { atMost ?? $0 })
        }
    }
}

/// The resources that a load needs in its busiest hour, computed from measured costs. Data is in PostgreSQL.
struct Size: Sendable {
    private static let microsecondsPerSecond = 1_000_000.0
    private static let bytesPerMegabyte = 1_000_000.0
    /// Redis keeps a fifth of its memory free for revocations.
    private static let redisShare = 0.8
    /// Above this share of a core a gateway answers late.
    private static let gatewayShare = 0.5
    private static let leastGateways = 2.0
    /// A gateway reads the stream of revocations every 25 ms.
    private static let readsPerSecond = 40.0

    let load: DailyLoad
    let costs: MeasuredCosts

    private var signIns: Double { DailyLoad.busiest(load.signIns) }
    private var refreshes: Double { DailyLoad.busiest(load.refreshes) }
    private var requests: Double { DailyLoad.busiest(load.requests) }

    /// Cores that are busy, by process.
    var cores: [(process: String, cores: Double)] {
        ["gateway", "otp", "token", "user", "redis", "postgres"].map { process in
            let ofRequests = process == "gateway" ? requests * costs[.request] : 0
            let microseconds =
                signIns * costs.signIn(process) + refreshes * costs.refresh(process) + ofRequests
            return (process, microseconds / Self.microsecondsPerSecond)
        }
    }

    /// How many gateways there should be.
    var gateways: Double {
        let busy = cores.first { $0.process == "gateway" }?.cores ?? 0
        return max(Self.leastGateways, (busy / Self.gatewayShare).rounded(.up))
    }

    /// `maxmemory` of Redis, in megabytes, if every user has signed in within 90 days.
    var redisMegabytes: Double { load.users / 1_000_000 * costs[.redisMillion] / Self.redisShare }

    /// Tables and indexes on one server, in megabytes.
    var diskMegabytes: Double {
        (load.users * costs[.user] + load.sessions * costs[.session]) / Self.bytesPerMegabyte
    }

    /// Shares of the defaults of compose, the fullest first: one core for each container, two of each service, 128 MB for Redis.
    var used: [(name: String, share: Double)] {
        let ofCores = cores.map { process, cores in
            (name: process, share: cores / (["redis", "postgres"].contains(process) ? 1 : 2))
        }
        return (ofCores + [(name: "redis-memory", share: redisMegabytes / costs[.redisDefault])])
            .sorted { $0.share > $1.share }
    }

    /// All figures, as they are printed.
    var figures: [Figure] {
        let rates = [("sign-ins", signIns), ("refreshes", refreshes), ("requests", requests)].map {
            Figure("rate.\($0)", $1, .perSecond)
        }
        let calls = signIns * costs[.redisCallsOfSignIn] + refreshes * costs[.redisCallsOfRefresh]
        let trips = signIns * costs[.tripsOfSignIn] + refreshes * costs[.tripsOfRefresh]
        return
            (rates + cores.map { Figure("cores.\($0)", $1, .cores) } + [
                Figure("gateways", gateways, .count),
                Figure("redis.calls", calls + gateways * Self.readsPerSecond, .perSecond),
                Figure("redis.maxmemory", redisMegabytes, .megabytes),
                Figure("postgres.round-trips", trips, .perSecond),
                Figure("postgres.disk", diskMegabytes, .megabytes),
            ] + used.map { Figure("used.\($0)", $1, .count) }).under("size")
    }
}

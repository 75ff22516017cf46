import Glibc
import InternalAPI
import RedisClient
import TestSupport

/// A stack with a second gateway, whose way to Redis goes through a proxy.
struct RevocationFixture: Sendable {
    private static let sessionsPerFault = 8
    private static let endsBefore = 3
    private static let endsMeanwhile = 4
    /// The bound is a second, which deploy/faults measures; beside other work, in the suite, it is a test's deadline.
    static let recoveryMax = FaultRun.isLong ? Duration.seconds(1) : Patience.limit
    private static let recoveryLimit = Patience.limit

    let stack: LatchkeyStack
    let redis: StackRedis
    let twin: ProcessTwin.Running
    let proxy: FaultProxy
    let isLong: Bool

    /// The result of a round.
    struct Report: Sendable {
        let recovery: Duration
        let findings: [String]
        let acknowledged: Int
        let probes: Int
        let latestAccepted: Duration
        let slowestRefusal: Duration
    }

    static func run<Value: Sendable>(
        isLong: Bool, _ body: (RevocationFixture) async throws -> Value
    ) async throws -> Value {
        try await LatchkeyStack.run(name: "RevocationRounds") { stack in
            try await StackRedis.with(stack) { redis in
                try await withFaultProxy(toward: redis.port) { proxy in
                    let settings = ["REDIS_URL": "redis://127.0.0.1:\(proxy.port)"]
                    return try await ProcessTwin(of: "gateway", in: stack).run(settings: settings) { twin in
                        try await eventually("the second gateway is ready") {
                            do { return try await twin.operations.get("/readyz").status == 200 } catch { return false }
                        }
                        try await stack.untilReady()
                        return try await body(
                            RevocationFixture(stack: stack, redis: redis, twin: twin, proxy: proxy, isLong: isLong))
                    }
                }
            }
        }
    }

    /// Opens sessions, each of a user of its own.
    func sessions(_ count: Int) async throws -> [TokenSet] {
        var sessions: [TokenSet] = []
        for _ in 0..<count { sessions.append(try await stack.openSession()) }
        return sessions
    }

    /// Lets sessions end before, during and after the fault, and asks for all of them without pause.
    func round(_ fault: RevocationFault) async throws -> Report {
        let sessions = try await sessions(Self.sessionsPerFault + 1)
        let watch = RevocationWatch(gateways: [stack.gateway, twin.service], live: sessions[Self.sessionsPerFault])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.run() }
            do {
                let recovery = try await disturbed(fault, Array(sessions.prefix(Self.sessionsPerFault)), watch)
                watch.finish()
                twin.signal(SIGCONT)
                try await group.waitForAll()
                return Report(
                    recovery: recovery, findings: watch.findings.map { "\(fault.rawValue): \($0)" },
                    acknowledged: watch.acknowledged, probes: watch.probes, latestAccepted: watch.latestAccepted,
                    slowestRefusal: watch.slowestRefusal)
            } catch {
                watch.finish()
                twin.signal(SIGCONT)
                throw error
            }
        }
    }

    private func disturbed(
        _ fault: RevocationFault, _ sessions: [TokenSet], _ watch: RevocationWatch
    ) async throws -> Duration {
        let before = watch.unavailableCount(1)
        // What ends now the second gateway cannot have heard of when it goes on.
        if fault != .cutOff { freezeTwin(watch) }
        for session in sessions.prefix(Self.endsBefore) {
            guard await watch.logOut(session) else {
                watch.note("a logout before the fault was not acknowledged")
                continue
            }
        }
        let meanwhile = Array(sessions.dropFirst(Self.endsBefore).prefix(Self.endsMeanwhile))
        let ends = EndsMeanwhile()
        let end = try await inflict(fault, watch) {
            if fault != .frozenGateway { thawTwin(watch) }
            try await ends.run(meanwhile, over: fault.duration(isLong: isLong), watch)
            if fault.forbidsLogout, ends.acknowledged > 0 {
                watch.note("\(ends.acknowledged) logouts were acknowledged though nothing could be written")
            }
        }
        if fault.closesEdge, watch.unavailableCount(1) == before { watch.note("no request was answered 503") }
        let recovery = try await expectRecovery(since: end, sessions[Self.sessionsPerFault - 1], watch)
        await ends.finish()
        try await settle(watch)
        return recovery
    }

    private func freezeTwin(_ watch: RevocationWatch) {
        watch.noteFreeze()
        twin.signal(SIGSTOP)
    }

    func thawTwin(_ watch: RevocationWatch) {
        twin.signal(SIGCONT)
        watch.noteFreeze()
    }

    /// Waits until all works again, and notes it when that takes too long.
    @discardableResult
    func expectRecovery(
        since end: ContinuousClock.Instant, _ session: TokenSet, _ watch: RevocationWatch
    ) async throws -> Duration {
        let recovery = try await recovered(since: end, session, watch)
        if recovery > Self.recoveryMax { watch.note("all works again only after \(recovery)") }
        return recovery
    }

    /// Waits until both gateways let the live session in and a logout is acknowledged.
    private func recovered(
        since end: ContinuousClock.Instant, _ session: TokenSet, _ watch: RevocationWatch
    ) async throws -> Duration {
        for gateway in watch.gateways.indices {
            try await eventually(
                "gateway \(gateway) lets in again", within: Self.recoveryLimit, every: .milliseconds(5)
            ) {
                await watch.callLive(at: gateway) == 200
            }
        }
        try await eventually("a logout is acknowledged again", within: Self.recoveryLimit, every: .milliseconds(5)) {
            await watch.logOut(session)
        }
        return ContinuousClock.now - end
    }

    /// An end that was not acknowledged has happened or has not: where no refresh works any more, no call does.
    private func settle(_ watch: RevocationWatch) async throws {
        for session in watch.takeUncertain() {
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", "{\"refreshToken\":\"\(session.refreshToken)\"}")
            guard refreshed.status == 401 else { continue }
            // token-service publishes the waiting revocations after the recovery.
            for gateway in watch.gateways.indices {
                try await eventually("gateway \(gateway) refuses a token whose session has ended half") {
                    await watch.call(session.accessToken, at: gateway) == 401
                }
            }
        }
    }
}

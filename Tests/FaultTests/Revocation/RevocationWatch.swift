import AuthAPI
import InternalAPI
import Synchronization
import TestSupport

/// Asks both gateways without pause, with tokens that are revoked and with one that is not, and notes what must not be.
final class RevocationWatch: Sendable {
    /// From an acknowledged end on, a request that begins this much later is refused, on a busy machine too: a gateway that has
    /// heard nothing for so long answers 503.
    static let bound = Duration.milliseconds(100)
    private static let pause = Duration.milliseconds(3)
    private static let probersPerGateway = 2
    /// Most probes go to tokens that were revoked last.
    private static let newestCount = 12

    private struct Ended {
        let token: String
        let at: ContinuousClock.Instant
    }

    private struct State {
        var ended: [Ended] = []
        var findings: [String] = []
        var uncertain: [TokenSet] = []
        var acknowledged = 0
        var probes = 0
        var unavailable: [Int: Int] = [:]
        var latestAccepted = Duration.zero
        var slowestRefusal = Duration.zero
        /// Odd while the second gateway is stopped: what it takes then says nothing of it.
        var freezes = 0
        var isOver = false
    }

    private let state = Mutex(State())
    let gateways: [TestHTTPClient]
    private let live: TokenSet

    init(gateways: [TestHTTPClient], live: TokenSet) {
        self.gateways = gateways
        self.live = live
    }

    var findings: [String] { state.withLock { $0.findings } }
    var probes: Int { state.withLock { $0.probes } }
    var acknowledged: Int { state.withLock { $0.acknowledged } }
    /// The longest that a revoked token was still accepted after the answer to its end.
    var latestAccepted: Duration { state.withLock { $0.latestAccepted } }
    /// The longest that a request waited for its 503.
    var slowestRefusal: Duration { state.withLock { $0.slowestRefusal } }

    /// The second gateway is being stopped, or goes on.
    func noteFreeze() { state.withLock { $0.freezes += 1 } }
    func finish() { state.withLock { $0.isOver = true } }
    func note(_ finding: String) { state.withLock { $0.findings.append(finding) } }

    /// How often a gateway has answered 503 until now.
    func unavailableCount(_ gateway: Int) -> Int { state.withLock { $0.unavailable[gateway] ?? 0 } }

    /// The sessions whose end was asked for and not acknowledged, each once.
    func takeUncertain() -> [TokenSet] {
        state.withLock { state in
            defer { state.uncertain = [] }
            return state.uncertain
        }
    }

    /// Asks until `finish`.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for gateway in gateways.indices {
                for _ in 0..<Self.probersPerGateway { group.addTask { try await self.probeEnded(gateway) } }
                group.addTask { try await self.probeLive(gateway) }
            }
            try await group.waitForAll()
        }
    }

    /// Ends a session; whether that was acknowledged.
    @discardableResult
    func logOut(_ session: TokenSet, at gateway: Int = 0) async -> Bool {
        let status = await status {
            try await self.gateways[gateway].post(
                "/auth/logout", encoding: LogoutBody(refreshToken: session.refreshToken)
            ).status
        }
        state.withLock { state in
            guard status == 200 else { return state.uncertain.append(session) }
            state.ended.append(Ended(token: session.accessToken, at: .now))
            state.acknowledged += 1
        }
        if let status, status != 200, status != 503 { note("a logout was answered \(status)") }
        return status == 200
    }

    /// The status for a token; nil when there was no answer.
    func call(_ token: String, at gateway: Int) async -> Int? {
        await status { try await self.gateways[gateway].get("/api/hello", bearer: token).status }
    }

    /// The status for the session that lives on.
    func callLive(at gateway: Int) async -> Int? { await call(live.accessToken, at: gateway) }

    private func status(_ act: () async throws -> Int) async -> Int? {
        // No answer is no answer of which anything is to be demanded.
        do { return try await act() } catch { return nil }
    }

    private func probeEnded(_ gateway: Int) async throws {
        while let ended = next() {
            if let ended {
                let invoked = ContinuousClock.now
                let status = await call(ended.token, at: gateway)
                judge(status, invoked, ended, gateway)
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// The next revoked token to ask with; nil inside: there is none yet; nil outside: it is over.
    private func next() -> Ended?? {
        state.withLock { state in
            guard !state.isOver else { return .none }
            let newest = state.ended.suffix(Self.newestCount)
            return .some(Int.random(in: 0..<8) == 0 ? state.ended.randomElement() : newest.randomElement())
        }
    }

    private func judge(_ status: Int?, _ invoked: ContinuousClock.Instant, _ ended: Ended, _ gateway: Int) {
        state.withLock { state in
            state.probes += 1
            guard let status else { return }
            if (200..<300).contains(status) {
                state.latestAccepted = max(state.latestAccepted, invoked - ended.at)
                guard invoked - ended.at > Self.bound else { return }
                state.findings.append("gateway \(gateway) accepts a token \(invoked - ended.at) after its end")
            } else if status != 401, status != 503 {
                state.findings.append("gateway \(gateway) answers \(status) to a revoked token")
            }
        }
    }

    private func probeLive(_ gateway: Int) async throws {
        while !state.withLock({ $0.isOver }) {
            let (invoked, freezes) = (ContinuousClock.now, state.withLock { $0.freezes })
            let status = await callLive(at: gateway)
            state.withLock { state in
                state.probes += 1
                switch status {
                case nil, 200: break
                case 503:
                    state.unavailable[gateway, default: 0] += 1
                    guard freezes.isMultiple(of: 2), freezes == state.freezes else { return }
                    state.slowestRefusal = max(state.slowestRefusal, ContinuousClock.now - invoked)
                case .some(let status):
                    state.findings.append("gateway \(gateway) answers \(status) to a live token")
                }
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}

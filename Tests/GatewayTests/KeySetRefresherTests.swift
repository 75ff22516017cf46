import AccessTokens
import CryptoPrimitives
import InternalAPI
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Fetching of the keys, against a token-service that can be away.
@Suite(.timeLimit(.minutes(5))) struct KeySetRefresherTests {
    /// Answers with a key set; counts, and can be away.
    private final class FakeTokenService: InternalTransport {
        private struct State {
            var body: [UInt8] = Array(#"{"keys":[]}"#.utf8)
            var isAway = false
            var fetches = 0
        }

        private let state = Mutex(State())
        var fetches: Int { state.withLock(\.fetches) }
        func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
        func publish(_ kid: String) throws {
            let key = try SigningKey.generate(keyID: kid, algorithm: .EdDSA)
            let x = try #require(key.verificationKey.jwk?.x)
            let body =
                #"{"keys":[{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"\#(kid)","x":"\#(x)"}]}"#
            state.withLock { $0.body = Array(body.utf8) }
        }

        func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
            let body = state.withLock { state -> [UInt8]? in
                state.fetches += 1
                return state.isAway ? nil : state.body
            }
            guard let body else { throw ServiceUnavailable(service: "token", reason: "away") }
            return InternalResponse(status: 200, body: body)
        }
    }

    private let service = FakeTokenService()
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func withRefresher(
        secrets: KeyRing? = nil, _ body: (KeySetRefresher) async throws -> Void
    ) async throws {
        let refresher = KeySetRefresher(
            token: ServiceClient(service: "token", transport: service), secrets: secrets,
            rule: KeySetRule(ageMaxSeconds: 300),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ) { published, secrets in
            AccessTokenVerifier(issuer: "i", audience: "a", keys: try VerificationKeySet(published, secrets: secrets))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await refresher.run() }
            try await eventually("there are keys") { refresher.isReady }
            try await body(refresher)
            group.cancelAll()
        }
    }

    private func kids(_ refresher: KeySetRefresher) -> [String] {
        refresher.current(now: MonotonicTime.nanoseconds())?.verifier.keys.keyIDs ?? []
    }

    @Test func `a thousand random kids cause one fetch`() async throws {
        try await withRefresher { refresher in
            let before = service.fetches
            for _ in 0..<1000 {
                let now = MonotonicTime.nanoseconds()
                let verdict = refresher.judgeUnknownKey(now: now, isInContact: true, hasWaited: false)
                guard case .wait(let since) = verdict else {
                    #expect(verdict == .refuse)
                    continue
                }
                try await refresher.fetchEnded(since: since, on: loop).get()
            }
            #expect(service.fetches == before + 1)
        }
    }

    @Test func `many who wait share one fetch, and have the announced key after it`() async throws {
        try await withRefresher { refresher in
            // An attacker has used up what unknown kids may cause.
            _ = refresher.judgeUnknownKey(now: MonotonicTime.nanoseconds(), isInContact: true, hasWaited: false)
            try await eventually("that fetch is over") { service.fetches == 2 }
            try service.publish("new")
            let now = MonotonicTime.nanoseconds()
            refresher.noteChange(now: now)
            let waits = (0..<100).map { _ in refresher.fetchEnded(since: now, on: loop) }
            for wait in waits { try await wait.get() }
            #expect(kids(refresher) == ["new"])
            #expect(service.fetches == 3)
        }
    }

    @Test func `while token-service is away the last good set stays, and nobody waits for ever`() async throws {
        try service.publish("good")
        try await withRefresher { refresher in
            service.setAway(true)
            let now = MonotonicTime.nanoseconds()
            refresher.noteChange(now: now)
            try await refresher.fetchEnded(since: now, on: loop).get()
            #expect(kids(refresher) == ["good"])
            #expect(refresher.judgeUnknownKey(now: now, isInContact: true, hasWaited: true) == .unavailable)
            let later = now + 24 * 3600 * 1_000_000_000 + 1_000_000_000
            #expect(refresher.current(now: later) == nil)
            // No fetch can be sent so late: the wait ends by itself.
            try await refresher.fetchEnded(since: .max, on: loop).get()
        }
    }

    @Test func `new secrets empty the cache of tokens, and bad ones change nothing`() async throws {
        let ring = { (kid: String) in try KeyRing(parsing: "\(kid) \(Hex.encode(SecureRandom.bytes(32)))") }
        try service.publish("stored")
        try await withRefresher(secrets: try ring("k1")) { refresher in
            let version = refresher.current(now: MonotonicTime.nanoseconds())?.version ?? 0
            let next = try ring("k2")
            try refresher.replaceSecrets(next)
            #expect(kids(refresher) == ["k2", "stored"])
            #expect((refresher.current(now: MonotonicTime.nanoseconds())?.version ?? 0) > version)
            let changed = refresher.current(now: MonotonicTime.nanoseconds())?.version
            try refresher.replaceSecrets(next)
            #expect(refresher.current(now: MonotonicTime.nanoseconds())?.version == changed)
            #expect(throws: KeyError.self) { try refresher.replaceSecrets(try ring("stored")) }
            #expect(kids(refresher) == ["k2", "stored"])
        }
    }
}

import TLSPairs
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The certificates that are served from the folder, at the start and later.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CertificateJudgementTests {
    private static func entry(_ pair: TLSPair) -> TLSFolder.Entry { .init(name: pair.name, result: .success(pair)) }
    private static func broken(_ name: String) -> TLSFolder.Entry { .init(name: name, result: .failure(.keyMismatch)) }

    private func run(_ body: (TestAuthority) async throws -> Void) async throws {
        try await EdgeCertificates.withFolder { try await body(try await TestAuthority.make(in: $0)) }
    }

    private func pair(
        _ name: String, _ request: TestCertificate.Request = .init(), by authority: TestAuthority
    ) async throws -> TLSPair {
        try EdgeCertificates.pair(name, of: try await authority.issue(name, request))
    }

    @Test func `the start takes what is fit and what has expired, and refuses all else`() async throws {
        try await run { authority in
            let good = try await pair("good", by: authority)
            let expired = try await pair("old", .expired, by: authority)
            let coming = try await pair("new", .init(beginsAfterSeconds: 3600), by: authority)
            let now = good.notBefore + 3_700
            let judgement = CertificateJudgement.atStart(
                [good, expired, coming].map(Self.entry) + [Self.broken("x")], pins: [], now: now)
            #expect(judgement.pairs == [good, expired])
            #expect(
                judgement.refusals == [
                    .init(name: "new", problem: .notYetValid(coming.notBefore)),
                    .init(name: "x", problem: .keyMismatch),
                ])
            let pinned = CertificateJudgement.atStart([Self.entry(good)], pins: [expired.pin], now: now)
            #expect(pinned.pairs.isEmpty && pinned.refusals.first?.problem == .unpinned(good.pin))
        }
    }

    @Test func `a refused pair leaves the one that is served, others are replaced, and what is gone goes`() async throws
    {
        try await run { authority in
            let (a, b, c) = (
                try await pair("a", by: authority), try await pair("b", by: authority),
                try await pair("c", by: authority)
            )
            let now = a.notBefore + 3_700
            let renewed = try await pair("b", by: authority)
            let judgement = CertificateJudgement.atReload(
                [Self.broken("a"), Self.entry(renewed)], serving: [a, b, c], pins: [], now: now)
            #expect(judgement.pairs == [a, renewed])
            #expect(judgement.refusals == [.init(name: "a", problem: .keyMismatch)])
            let newcomer = CertificateJudgement.atReload([Self.broken("d")], serving: [a], pins: [], now: now)
            #expect(newcomer.pairs.isEmpty)
        }
    }

    @Test func `an expired renewal is refused; what is served stays though it expires`() async throws {
        try await run { authority in
            let (served, expired) = (
                try await pair("a", by: authority), try await pair("a", .expired, by: authority)
            )
            let now = served.notBefore + 3_700
            let refused = CertificateJudgement.atReload([Self.entry(expired)], serving: [served], pins: [], now: now)
            #expect(refused.pairs == [served] && refused.refusals.first?.problem == .expired(expired.notAfter))
            let later = CertificateJudgement.atReload(
                [Self.entry(served)], serving: [served], pins: [], now: served.notAfter + 1)
            #expect(later.pairs == [served] && later.refusals.isEmpty)
        }
    }

    @Test func `while keys are pinned a renewal with a foreign key is refused, one with the same key is not`()
        async throws
    {
        try await run { authority in
            let issued = try await authority.issue("a")
            let served = try EdgeCertificates.pair("a", of: issued)
            let again = try EdgeCertificates.pair("a", of: try await authority.issue("again", key: issued.key))
            let foreign = try await pair("a", by: authority)
            let now = served.notBefore + 3_700
            let pins = [served.pin, try #require(SPKIPin("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="))]
            let refused = CertificateJudgement.atReload([Self.entry(foreign)], serving: [served], pins: pins, now: now)
            #expect(refused.pairs == [served] && refused.refusals.first?.problem == .unpinned(foreign.pin))
            let renewed = CertificateJudgement.atReload([Self.entry(again)], serving: [served], pins: pins, now: now)
            #expect(renewed.pairs == [again] && renewed.refusals.isEmpty && again != served)
        }
    }

    @Test func `what the TLS library does not take is refused for itself, and the others are served`() async throws {
        try await run { authority in
            let (a, b) = (try await pair("a", by: authority), try await pair("b", by: authority))
            let now = a.notBefore + 3_700
            let entries = [a, b].map(Self.entry)
            let start = CertificateJudgement.atStart(entries, pins: [], now: now) { $0 != a }
            #expect(start.pairs == [b] && start.refusals == [.init(name: "a", problem: .unusable)])
            let reload = CertificateJudgement.atReload(entries, serving: [], pins: [], now: now) { $0 != a }
            #expect(reload.pairs == [b] && reload.refusals == [.init(name: "a", problem: .unusable)])
            #expect(TLSCertificates.accepts(a))
        }
    }

    @Test func `a pair that is gone for a moment stays, and one that was not yet valid is looked at in its time`()
        async throws
    {
        try await run { authority in
            let (a, b) = (try await pair("a", by: authority), try await pair("b", by: authority))
            let now = a.notBefore + 3_700
            let away = CertificateJudgement.atReload(
                [Self.entry(b)], serving: [a, b], staying: ["a"], pins: [], now: now)
            #expect(away.pairs == [a, b])
            let coming = try await pair("b", .init(beginsAfterSeconds: 3600), by: authority)
            let early = CertificateJudgement.atReload([Self.entry(coming)], serving: [b], pins: [], now: now)
            #expect(early.pairs == [b] && early.retryAt == coming.notBefore)
            let later = CertificateJudgement.atReload(
                [Self.entry(coming)], serving: [b], pins: [], now: coming.notBefore)
            #expect(later.pairs == [coming] && later.retryAt == nil)
        }
    }
}

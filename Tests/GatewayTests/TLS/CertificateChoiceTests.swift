import TLSPairs
import TestSupport
import Testing

@testable import EdgeHTTP

@Suite(.serialized, .timeLimit(.minutes(5))) struct CertificateChoiceTests {
    /// `default` for fallback.example, `a` for `*.example` and api.example, `b` for b.example.
    private static func pairs() async throws -> [TLSPair] {
        try await EdgeCertificates.pairs([
            ("a", ["*.example", "api.example"]), ("b", ["b.example"]), ("default", ["fallback.other"]),
        ])
    }

    @Test func `a whole name goes before a wildcard, and default serves what no pair covers`() async throws {
        let pairs = try await Self.pairs()
        let expected = [
            ("api.example", "a"), ("B.Example", "b"), ("c.example", "a"), ("x.c.example", "default"),
            ("elsewhere.test", "default"), ("", "default"),
        ]
        for (host, name) in expected {
            #expect(CertificateChoice.index(of: host, among: pairs).map { pairs[$0].name } == name, "\(host)")
        }
        #expect(CertificateChoice.index(of: nil, among: pairs).map { pairs[$0].name } == "default")
        #expect(CertificateChoice.base(of: pairs).map { pairs[$0].name } == "default")
    }

    @Test func `without default other names have no certificate, unless there is but one pair`() async throws {
        let pairs = Array(try await Self.pairs().prefix(2))
        #expect(CertificateChoice.index(of: "elsewhere.test", among: pairs) == nil)
        #expect(CertificateChoice.base(of: pairs) == 0)
        #expect(CertificateChoice.index(of: "elsewhere.test", among: [pairs[1]]) == 0)
        #expect(CertificateChoice.base(of: []) == nil)
    }
}

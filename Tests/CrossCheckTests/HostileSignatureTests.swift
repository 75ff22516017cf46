import AccessTokens
import CryptoPrimitives
import StrictJSON
import Testing

@testable import ControlCore

/// Signatures made to deceive, by arithmetic that is not libcrypto's (`Peers/hostile_signatures.py` says which).
@Suite(.enabled(if: PeerScript.isInstalled, PeerScript.absence)) struct HostileSignatureTests {
    @Test(.timeLimit(.minutes(10)), arguments: [1, UInt64.random(in: 0...UInt64.max)])
    func `what ought to hold holds, and nothing else`(seed: UInt64) async throws {
        let groups = try await PeerScript.objects("hostile_signatures", ["\(seed)"])
        var counts: [SignatureAlgorithm: (holding: Int, refused: Int, keys: Int)] = [:]
        for group in groups {
            let name = try group.text("group")
            let algorithm = try #require(SignatureAlgorithm(rawValue: try group.text("alg")))
            let jwk = try #require(group["jwk"]).encoded()
            guard let cases = group["cases"]?.arrayValue else {
                #expect(throws: KeyError.self, "\(name), seed \(seed)") { try VerificationKey(jwkText: jwk) }
                counts[algorithm, default: (0, 0, 0)].keys += 1
                continue
            }
            let key = try VerificationKey(jwkText: jwk)
            #expect(key.algorithm == algorithm)
            for entry in cases {
                let fields = try #require(entry.arrayValue)
                let comment = try #require(fields.first?.stringValue)
                let line = try "\(#require(fields[1].stringValue)) \(#require(fields[2].stringValue))"
                let holds: Bool = try #require(fields[3].boolValue as Bool?)
                let answer = SignatureVerify.answer(to: .bytes(Array(line.utf8)), with: key)
                #expect(answer == (holds ? "ok" : "refused: badSignature"), "\(name): \(comment), seed \(seed)")
                if holds { counts[algorithm, default: (0, 0, 0)].holding += 1 }
                if !holds { counts[algorithm, default: (0, 0, 0)].refused += 1 }
            }
        }
        // A generator that falls silent is a fault as well.
        for algorithm in SignatureAlgorithm.allCases {
            let count = try #require(counts[algorithm])
            #expect(count.holding >= 6 && count.refused >= 300 && count.keys >= 9, "\(algorithm): \(count)")
        }
    }
}

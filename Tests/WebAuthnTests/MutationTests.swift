import AccessTokens
import TestSupport
import Testing

@testable import WebAuthn

/// Damaged ceremonies, the same ones in each run: none stops the process, and no altered assertion verifies.
@Suite struct MutationTests {
    private static let rounds = 1_000
    let site: Site

    init() throws { site = try Site.shared.get() }

    @Test(arguments: [SignatureAlgorithm.ES256, .EdDSA, .RS256])
    func `no altered assertion verifies`(algorithm: SignatureAlgorithm) throws {
        let authenticator = try site.authenticator(algorithm)
        let (good, record) = (try authenticator.assertion(challenge: site.challenge), authenticator.record)
        _ = try site.verify(good, record: record)
        let parts: [WritableKeyPath<SoftwareAssertion, [UInt8]>] = [\.clientData, \.authenticatorData, \.signature]
        for part in parts {
            let bytes = good[keyPath: part]
            let mutants =
                (0..<bytes.count).map { Array(bytes.prefix($0)) } + flips(of: bytes) + mutants(of: bytes, seed: 1)
            for mutant in mutants where mutant != bytes {
                var assertion = good
                assertion[keyPath: part] = mutant
                #expect(throws: WebAuthnRefusal.self) { try site.verify(assertion, record: record) }
            }
        }
    }

    /// Nothing signs a registration, so some damage goes unnoticed; but never in what was checked.
    @Test(arguments: [SignatureAlgorithm.ES256, .EdDSA, .RS256])
    func `an altered registration is refused or keeps its id, presence and a good key`(
        algorithm: SignatureAlgorithm
    ) throws {
        let authenticator = try site.authenticator(algorithm)
        let good = authenticator.registration(challenge: site.challenge)
        let bytes = good.attestationObject
        for count in 0..<bytes.count {
            var registration = good
            registration.attestationObject = Array(bytes.prefix(count))
            #expect(throws: WebAuthnRefusal.self) { try site.register(registration) }
        }
        var refusedCount = 0
        let mutants = flips(of: bytes) + mutants(of: bytes, seed: 2)
        for mutant in mutants {
            var registration = good
            registration.attestationObject = mutant
            do throws(WebAuthnRefusal) {
                let record = try register(registration)
                #expect(record.id == authenticator.credentialID && record.isUserVerified)
                _ = try COSEKey.verificationKey(record.publicKey)
            } catch {
                refusedCount += 1
            }
        }
        #expect(refusedCount > mutants.count / 4)
    }

    private func register(_ registration: SoftwareRegistration) throws(WebAuthnRefusal) -> CredentialRecord {
        do { return try site.register(registration) } catch let refusal as WebAuthnRefusal { throw refusal } catch {
            Issue.record(error)
            throw .clientData
        }
    }

    /// Every single bit flipped.
    private func flips(of bytes: [UInt8]) -> [[UInt8]] {
        (0..<bytes.count * 8).map { bit in
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return flipped
        }
    }

    /// Bytes replaced, inserted, removed and moved, a few at a time.
    private func mutants(of bytes: [UInt8], seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<Self.rounds).map { _ in
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<mutant.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: mutant[place] = UInt8.random(in: 0...0xFF, using: &generator)
                case 1: mutant.insert(UInt8.random(in: 0...0xFF, using: &generator), at: place)
                case 2 where mutant.count > 1: mutant.remove(at: place)
                default: mutant.swapAt(place, Int.random(in: 0..<mutant.count, using: &generator))
                }
            }
            return mutant
        }
    }
}

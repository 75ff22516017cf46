import CryptoPrimitives
import Testing

@testable import OTPCore

@Suite struct CodeSecretsTests {
    private let secrets: CodeSecrets

    init() throws { secrets = CodeSecrets(keys: try KeyRing(parsing: "k1 6b1f0c2a94d87e35b0c1a2f3948d7e6c")) }

    @Test func `digits of codes are equally likely in every position`() {
        var counts = Array(repeating: Array(repeating: 0, count: 10), count: 6)
        for number in 0..<100_000 {
            let code = secrets.code(challengeID: "\(number)", recipient: "+15551234567", digitCount: 6)
            for (position, digit) in code.utf8.enumerated() { counts[position][Int(digit - UInt8(ascii: "0"))] += 1 }
        }
        for position in counts {
            let chiSquare = position.reduce(0.0) { sum, count in
                sum + (Double(count) - 10_000) * (Double(count) - 10_000) / 10_000
            }
            // Nine degrees of freedom, p = 0.001.
            #expect(chiSquare < 27.877)
        }
    }

    @Test(arguments: [6, 7, 8]) func `a code has as many digits as asked for`(count: Int) {
        for number in 0..<2_000 {
            let code = secrets.code(challengeID: "\(number)", recipient: "+1", digitCount: count)
            #expect(code.utf8.count == count)
            #expect(Int(code) != nil)
        }
    }

    @Test func `a code belongs to its challenge, phone and key`() throws {
        let code = secrets.code(challengeID: "a", recipient: "+15551234567", digitCount: 8)
        #expect(secrets.code(challengeID: "a", recipient: "+15551234567", digitCount: 8) == code)
        #expect(secrets.code(challengeID: "b", recipient: "+15551234567", digitCount: 8) != code)
        #expect(secrets.code(challengeID: "a", recipient: "+15551234568", digitCount: 8) != code)
        let others = CodeSecrets(keys: try KeyRing(parsing: "k1 c3a19f0be5724d8896fa0c1d2b3e4f57"))
        #expect(others.code(challengeID: "a", recipient: "+15551234567", digitCount: 8) != code)
    }

    @Test func `an attestation's id begins with its challenge's second, and differs with all that makes it`() {
        let seed = ChallengeSeed(created: 0x6502_0304, salt: [1, 2])
        let id = secrets.attestationID(seed, recipient: "+15551234567", place: "sign_in")
        #expect(id == "65020304" + secrets.challengeID(seed, recipient: "+15551234567", place: "sign_in"))
        #expect(id.utf8.count == 40)
        let salted = ChallengeSeed(created: seed.created, salt: [1, 3])
        let later = ChallengeSeed(created: seed.created + 1, salt: seed.salt)
        for different in [
            secrets.attestationID(salted, recipient: "+15551234567", place: "sign_in"),
            secrets.attestationID(later, recipient: "+15551234567", place: "sign_in"),
            secrets.attestationID(seed, recipient: "+15551234568", place: "sign_in"),
            secrets.attestationID(seed, recipient: "+15551234567", place: "other"),
        ] { #expect(different.dropFirst(8) != id.dropFirst(8)) }
    }

    @Test func `a proof belongs to its code, phone and purpose`() {
        let proof = secrets.proof(code: "123456", recipient: "+15551234567", place: "sign_in")
        #expect(secrets.proof(code: "123457", recipient: "+15551234567", place: "sign_in") != proof)
        #expect(secrets.proof(code: "123456", recipient: "+15551234568", place: "sign_in") != proof)
        #expect(secrets.proof(code: "123456", recipient: "+15551234567", place: "other") != proof)
    }
}

import CryptoPrimitives
import InternalAPI
import Testing

/// Attestations and grants: forged, altered, expired and interchanged ones are refused (security guide ).
@Suite struct SealedStatementTests {
    let now: Int64 = 1_700_000_000
    let keys: KeyRing
    let otherKeys: KeyRing

    init() throws {
        keys = try KeyRing(parsing: "k1 3f9a1c5e7b2d4860a1b3c5d7e9f01234")
        otherKeys = try KeyRing(parsing: "k1 9a1c5e7b2d4860a1b3c5d7e9f012343f")
    }

    var attestation: Attestation {
        Attestation(
            proofID: "c1", method: "sms", identity: .phone("+14155550100"), purpose: .signIn, expiresAt: now + 60,
            challengedAt: now)
    }

    var grant: Grant {
        Grant(
            id: "g1", userID: "usr_1", epoch: 3, claims: UserClaims(phone: "+14155550100", role: "user", version: 2),
            method: "sms", isNewUser: true, expiresAt: now + 60)
    }

    func refusal(_ text: String, keys: KeyRing? = nil, now: Int64? = nil) -> SealRefusal? {
        do {
            _ = try Attestation.open(text, with: keys ?? self.keys, now: now ?? self.now)
            return nil
        } catch { return error }
    }

    @Test func `what is sealed opens until it expires`() throws {
        #expect(try Attestation.open(try attestation.sealed(with: keys), with: keys, now: now) == attestation)
        #expect(try Grant.open(try grant.sealed(with: keys), with: keys, now: now) == grant)
        let text = try attestation.sealed(with: keys)
        #expect(refusal(text, now: now + 59) == nil)
        #expect(refusal(text, now: now + 60) == .expired)
        #expect(refusal(text, now: .max) == .expired)
    }

    @Test func `the same statement has the same seal`() throws {
        #expect(try grant.sealed(with: keys) == grant.sealed(with: keys))
    }

    @Test func `an older key of the ring still opens`() throws {
        let rotated = try KeyRing(
            parsing: "k.2 00112233445566778899aabbccddeeff\nk1 3f9a1c5e7b2d4860a1b3c5d7e9f01234")
        #expect(refusal(try attestation.sealed(with: keys), keys: rotated) == nil)
        // A kid may hold dots.
        #expect(refusal(try attestation.sealed(with: rotated), keys: rotated) == nil)
    }

    @Test func `another pair's key and an unknown kid are refused`() throws {
        #expect(refusal(try attestation.sealed(with: otherKeys)) == .forged)
        let text = try attestation.sealed(with: keys)
        for kid in ["k2", "\u{212A}1", ""] {
            #expect(refusal(text.replacing("attestation.k1.", with: "attestation.\(kid).")) == .unknownKey)
        }
    }

    @Test func `one altered character anywhere is refused`() throws {
        let text = Array(try attestation.sealed(with: keys).utf8)
        for position in text.indices {
            var altered = text
            altered[position] = altered[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(refusal(String(decoding: altered, as: UTF8.self)) != nil, "position \(position)")
        }
    }

    @Test func `an altered body under the old code is forged, expired or not`() throws {
        let parts = try attestation.sealed(with: keys).split(separator: ".")
        let longer = Attestation(
            proofID: "c1", method: "sms", identity: .phone("+14155550100"), purpose: .signIn, expiresAt: .max,
            challengedAt: now)
        let longerParts = try longer.sealed(with: otherKeys).split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(longerParts[2]).\(parts[3])"
        #expect(refusal(forged) == .forged)
        #expect(refusal(forged, now: now + 1000) == .forged)
    }

    @Test func `a code of zeros, a short one and none are refused`() throws {
        let parts = try attestation.sealed(with: keys).split(separator: ".")
        let zeros = Base64URL.encode([UInt8](repeating: 0, count: 32))
        for code in [zeros, String(parts[3].dropLast(3)), ""] {
            #expect(refusal("\(parts[0]).\(parts[1]).\(parts[2]).\(code)") != nil)
        }
    }

    @Test func `no kind passes as another, even under one key`() throws {
        #expect(throws: SealRefusal.forged) {
            try Grant.open(try attestation.sealed(with: keys), with: keys, now: now)
        }
        #expect(refusal(try grant.sealed(with: keys)) == .forged)
        #expect(refusal(try Impostor(id: "c1", expiresAt: now + 60).sealed(with: keys)) == .forged)
        let renamed = try grant.sealed(with: keys).replacing("grant.", with: "attestation.")
        #expect(SealedText.kind(of: renamed) == Attestation.kind && refusal(renamed) == .forged)
    }

    @Test(arguments: [
        "", ".", "..", "...", "k1", "k1.", "k1..", "k1.e30", "k1.e30.", ".e30.e30", "k1.e30.e30=", "é.é.é",
        "attestation", "attestation.k1.e30", "attestation.k1.e30.", "attestation.k1..", "attestation..e30.e30",
        ".k1.e30.e30", "Attestation.k1.e30.e30",
    ])
    func `other text is refused`(text: String) {
        #expect(refusal(text) != nil)
    }

    @Test func `trailing dots, parts and spaces are refused`() throws {
        let text = try attestation.sealed(with: keys)
        for tail in [".", "..", ".AAAA", " ", "\n", "=", "\0"] { #expect(refusal(text + tail) != nil, "tail \(tail)") }
        #expect(refusal(" " + text) != nil)
    }

    @Test func `huge texts are refused before anything is computed`() {
        #expect(refusal(String(repeating: ".", count: 60_000)) == .malformed)
        #expect(refusal("k1." + String(repeating: "A", count: 1 << 20) + ".AAAA") == .malformed)
    }

    @Test func `a sealed body that is no statement is malformed`() throws {
        for body in ["", "null", "[]", "{}", "{\"id\":1}"] {
            let signed = "attestation.k1." + Base64URL.encode(Array(body.utf8))
            let code = keys.signing.hmac.authenticate(Array("latchkey:\(signed)".utf8))
            #expect(refusal(signed + "." + Base64URL.encode(code)) == .malformed)
        }
    }
}

/// A kind that some other service might seal with the same key.
private struct Impostor: SealedStatement {
    static let kind = "impostor"
    let id: String
    let expiresAt: Int64
}

import CryptoPrimitives
import Testing

@testable import AccessTokens

/// Tokens that collections of attacks contain, each with the one reason for which it is refused.
///
/// The signature is right for the very text wherever the fault lies elsewhere.
@Suite struct HostileTokenTests {
    private static let header = #"{"alg":"ES256"}"#
    /// In base64url it has both letters that base64 spells otherwise.
    private static let payload: [UInt8] = [0xFB, 0xFF, 0xFE]

    private let key: SigningKey

    init() throws { key = try SigningKey.generate(keyID: "k", algorithm: .ES256) }

    private func answer(_ line: String, _ key: SigningKey? = nil) -> String {
        do throws(TokenRejection) {
            _ = try CompactJWS(Array(line.utf8)).payload(verifiedWith: (key ?? self.key).verificationKey)
            return "ok"
        } catch {
            return "refused: \(error.rawValue)"
        }
    }

    /// `header.payload`, both as they are, with their signature by `key`.
    private func signed(_ text: String, by key: SigningKey? = nil) throws -> String {
        text + "." + Base64URL.encode(try (key ?? self.key).sign(Array(text.utf8)))
    }

    private func token(_ header: String, by key: SigningKey? = nil) throws -> String {
        try signed(Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Self.payload), by: key)
    }

    private func token(_ header: String, signature: [UInt8]) -> String {
        [Array(header.utf8), Self.payload, signature].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    @Test(arguments: [
        #"{"alg":"ES256"}"#, " {\r\n\t\"alg\" : \"ES256\" } ", #"{"\u0061lg":"ES256"}"#,
        #"{"alg":"ES256","typ":"JWT","kid":"another","jku":"http://127.0.0.1:9/","jwk":{"kty":"oct","k":"AA"}}"#,
    ])
    func `a header may be spelt as JSON allows`(header: String) throws {
        #expect(answer(try token(header)) == "ok")
    }

    @Test(arguments: [
        (#"{"alg":"ES256","crit":["exp"],"exp":1}"#, "critical"), (#"{"alg":"ES256","crit":[]}"#, "critical"),
        (#"{"alg":"ES256","crit":["b64"],"b64":false}"#, "critical"), (#"{"alg":"ES256","b64":false}"#, "critical"),
        (#"{"alg":"ES256","b64":true}"#, "critical"), (#"{"alg":"ES256","alg":"ES256"}"#, "malformed"),
        (#"{"alg":"none","alg":"ES256"}"#, "malformed"), (#"{"alg":"ES256","\u0061lg":"none"}"#, "malformed"),
        (#"{"alg":"ES256","x":{"y":1,"y":1}}"#, "malformed"), (#"{"alg":["ES256"]}"#, "malformed"),
        (#"{"alg":null}"#, "malformed"), (#"{"ALG":"ES256"}"#, "malformed"), ("{}", "malformed"), ("[]", "malformed"),
        (#"{"alg":"ES256",}"#, "malformed"), ("\u{FEFF}{\"alg\":\"ES256\"}", "malformed"),
        (#"{"alg":"ES256"}{}"#, "malformed"), ("{\"alg\":\"ES256\"}\0", "malformed"),
        (#"{"alg":"es256"}"#, "unsupportedAlgorithm"), (#"{"alg":"ES256 "}"#, "unsupportedAlgorithm"),
        (#"{"alg":"none"}"#, "unsupportedAlgorithm"), (#"{"alg":"NONE"}"#, "unsupportedAlgorithm"),
        (#"{"alg":""}"#, "unsupportedAlgorithm"), (#"{"alg":"ES256K"}"#, "unsupportedAlgorithm"),
        (#"{"alg":"ES384"}"#, "unsupportedAlgorithm"), (#"{"alg":"PS256"}"#, "unsupportedAlgorithm"),
        (#"{"alg":"Ed25519"}"#, "unsupportedAlgorithm"), (#"{"alg":"RS256"}"#, "algorithmMismatch"),
        (#"{"alg":"EdDSA"}"#, "algorithmMismatch"), (#"{"alg":"HS256"}"#, "algorithmMismatch"),
        (#"{"alg":"ES256","kid":1}"#, "invalidKeyID"), (#"{"alg":"ES256","typ":1}"#, "wrongType"),
    ])
    func `a rightly signed header with a fault is refused`(header: String, reason: String) throws {
        #expect(answer(try token(header)) == "refused: " + reason)
    }

    @Test func `a token has one spelling`() throws {
        let good = try token(Self.header)
        let parts = good.split(separator: ".").map(String.init)
        let start = parts[0] + "."
        #expect(answer(good) == "ok" && parts[1] == "-__-")
        #expect(answer(try signed(start + "-_8")) == "ok", "two bytes")
        for payload in ["+//+", "-__-=", "-_9", "-_8=", "-__", "-", "-__ -", "-__\u{200B}-", "-_\0_"] {
            #expect(answer(try signed(start + payload)) == "refused: malformed", "\(payload)")
        }
        for last in "BCDEFGHIJKLMNOPRSTUVWXYZabcdefhijklmnopqrstuvxyz0123456789-_" {
            #expect(answer(good.dropLast() + String(last)) == "refused: malformed", "four loose bits: \(last)")
        }
        for line in [
            good + " ", " " + good, good + "\t", good + "\r", good + "\0", good + "=", good + "==", good + ".",
            "." + good, good + "." + parts[2], parts[0] + "." + parts[1], parts[0] + ".." + parts[2],
            "." + parts[1] + "." + parts[2], "Bearer " + good, "\"\(good)\"", good.replacing(".", with: ".\u{200B}"),
            #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#,
        ] {
            #expect(answer(line).hasPrefix("refused: "), "\(line)")
        }
    }

    @Test func `an ES256 signature is r and s within the order, never DER`() throws {
        let order: [UInt8] =
            [UInt8](repeating: 0xFF, count: 4) + [0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
            + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
        let zero = [UInt8](repeating: 0, count: 32)
        let text = [Array(Self.header.utf8), Self.payload].map { Base64URL.encode($0) }.joined(separator: ".")
        let good = try key.sign(Array(text.utf8))
        let (r, s) = (Array(good.prefix(32)), Array(good.suffix(32)))
        #expect(answer(token(Self.header, signature: good)) == "ok")
        for signature in [
            [], zero + zero, zero + s, r + zero, order + s, r + order, s + r, good + [0], [0] + good,
            Array(good.dropLast()), [0x30, 0x46, 2, 0x21, 0] + r + [2, 0x21, 0] + s, Array(Hex.encode(good).utf8),
        ] {
            #expect(answer(token(Self.header, signature: signature)) == "refused: badSignature", "\(signature)")
        }
    }

    @Test func `an EdDSA signature has S below the group order`() throws {
        let key = try SigningKey.generate(keyID: "k", algorithm: .EdDSA)
        let header = #"{"alg":"EdDSA"}"#
        let text = [Array(header.utf8), Self.payload].map { Base64URL.encode($0) }.joined(separator: ".")
        let good = try key.sign(Array(text.utf8))
        let order: [UInt8] =
            [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
            + [UInt8](repeating: 0, count: 15) + [0x10]
        var above: [UInt8] = []
        var carry: UInt16 = 0
        for (digit, addend) in zip(good.suffix(32), order) {
            carry += UInt16(digit) + UInt16(addend)
            above.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        #expect(answer(token(header, signature: good), key) == "ok")
        for s in [above, order, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32)] {
            #expect(answer(token(header, signature: good.prefix(32) + s), key) == "refused: badSignature")
        }
    }
}

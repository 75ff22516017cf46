import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import Testing

@testable import AccessTokens

/// The examples of RFC 7515, 7520, 7797 and 8037 (`Tests/Vectors/jws.json`) through the layer that guards the edge.
@Suite struct JWSVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        /// nil for examples that have none, or more than one.
        let jwk: [UInt8]?
        let jws: String
        /// nil for those that hold.
        let rejection: TokenRejection?

        var testDescription: String { name }
    }

    static let all = Result { try read() }

    static func read() throws -> [Vector] {
        let path = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Vectors/jws.json"
        let data = try Data(contentsOf: URL(filePath: path))
        let file = try StrictJSON.parse(Array(data), limits: .init(bytesMax: 65536, depthMax: 4))
        return try #require(file.arrayValue).map { entry in
            let expected = try #require(entry["expected"]?.stringValue)
            return Vector(
                name: try #require(entry["name"]?.stringValue), jwk: try entry["jwk"]?.objectValue.map(text),
                jws: try #require(entry["jws"]?.stringValue),
                rejection: try rejection(expected))
        }
    }

    private static func rejection(_ expected: String) throws -> TokenRejection? {
        guard expected != "ok" else { return nil }
        let rejection: TokenRejection = try #require(TokenRejection(rawValue: expected))
        return rejection
    }

    /// A JWK of strings as JSON again.
    private static func text(_ jwk: JSONObject) throws -> [UInt8] {
        var writer = JSONWriter()
        for member in jwk.members { writer.member(member.name, try #require(member.value.stringValue)) }
        return writer.finished()
    }

    private var accepted: [Vector] {
        get throws { try Self.all.get().filter { $0.rejection == nil } }
    }

    @Test func `the file has the vectors that it ought to have`() throws {
        #expect(
            try accepted.map(\.name) == [
                "RFC 7515 A.1", "RFC 7515 A.2", "RFC 7515 A.3", "RFC 8037 A.4", "RFC 7520 4.1", "RFC 7520 4.4",
                "RFC 7797 4.1",
            ])
        #expect(try Self.all.get().count == 20)
    }

    @Test func `what we support is accepted`() throws {
        for vector in try accepted {
            let key = try VerificationKey(jwkText: try #require(vector.jwk))
            let payload = try CompactJWS(Array(vector.jws.utf8)).payload(verifiedWith: key)
            #expect(Base64URL.encode(payload) == vector.jws.split(separator: ".")[1], "\(vector.name)")
        }
    }

    @Test func `what we do not support is refused under every key`() throws {
        let keys = try accepted.map { try VerificationKey(jwkText: try #require($0.jwk)) }
        for vector in try Self.all.get() where vector.rejection != nil {
            for key in keys {
                let rejection = #expect(throws: TokenRejection.self, "\(vector.name)") {
                    try CompactJWS(Array(vector.jws.utf8)).payload(verifiedWith: key)
                }
                // A foreign key may fail earlier, for another algorithm.
                if rejection != .algorithmMismatch { #expect(rejection == vector.rejection, "\(vector.name)") }
            }
        }
    }

    @Test func `keys of other curves are refused`() throws {
        for vector in try Self.all.get() where ["RFC 7515 A.4", "RFC 7520 4.3"].contains(vector.name) {
            let jwk = try #require(vector.jwk)
            #expect(throws: KeyError.unsupportedKey) { try VerificationKey(jwkText: jwk) }
        }
    }

    @Test func `one altered bit of the signature or payload is refused`() throws {
        for vector in try accepted {
            let key = try VerificationKey(jwkText: try #require(vector.jwk))
            let parts = try vector.jws.split(separator: ".").map { try #require(Base64URL.decode(String($0))) }
            for part in 1...2 {
                for position in parts[part].indices {
                    var altered = parts
                    altered[part][position] ^= 1
                    let text = altered.map { Base64URL.encode($0) }.joined(separator: ".")
                    #expect(throws: TokenRejection.badSignature) {
                        try CompactJWS(Array(text.utf8)).payload(verifiedWith: key)
                    }
                }
            }
        }
    }

    @Test func `no vector holds under another vector's key`() throws {
        for vector in try accepted {
            for stranger in try accepted where stranger.jwk != vector.jwk {
                let key = try VerificationKey(jwkText: try #require(stranger.jwk))
                #expect(throws: TokenRejection.self, "\(vector.name) under the key of \(stranger.name)") {
                    try CompactJWS(Array(vector.jws.utf8)).payload(verifiedWith: key)
                }
            }
        }
    }

    @Test func `the access-token verifier takes none of them`() throws {
        let mint = try Mint.shared.get()
        for vector in try Self.all.get() { #expect(mint.rejection(vector.jws) != nil, "\(vector.name)") }
    }
}

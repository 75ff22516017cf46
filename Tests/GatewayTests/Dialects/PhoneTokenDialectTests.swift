import AuthAPI
import Foundation
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Phone tokens at the gateway: when the path exists, what its body says, and how it is refused.
@Suite struct PhoneTokenDialectTests {
    private static func policy(_ more: String) throws -> Policy {
        try Policy.parse(
            """
            issuer: a
            audience: b
            profiles: { p: { algorithm: EdDSA } }
            dialects: [{ name: native, profile: p }]
            countries: { allowed: all }
            \(more)
            """, file: "test.yaml")
    }

    private static let fpnv = "phoneTokens: { fpnv: { issuer: i, jwksURL: https://g.example/k, audiences: [x] } }\n"

    @Test func `the path exists only with the section, and discovery names its entries`() throws {
        for (more, names) in [("", nil), (Self.fpnv, ["fpnv"])] as [(String, [String]?)] {
            let policy = try Self.policy(more)
            let paths = PathListing(of: policy).paths.filter { $0.path == "/auth/phone-token" }.map { "\($0.method)" }
            #expect(paths == (names == nil ? [] : ["POST"]))
            let native = try #require(policy.dialects.first)
            let document = DiscoveryDocument(of: native, in: policy, sendsMail: false)
            let discovery = try JSONDecoder().decode(Discovery.self, from: Data(document.file.body))
            #expect(discovery.phoneTokens == names)
            #expect(String(decoding: document.file.body, as: UTF8.self).contains("phoneTokens") == (names != nil))
        }
    }

    @Test func `a body needs a token, and its other members are those of a code`() throws {
        let read = { (text: String) in
            try StrictJSON.decode(PhoneTokenBody.self, from: Array(text.utf8), limits: .own)
        }
        #expect(try read(#"{"token":"t","phoneNumber":"+1"}"#) == PhoneTokenBody(token: "t"))
        let all = PhoneTokenBody(token: "t", nonce: "n", name: "Betty", deviceName: "phone")
        #expect(try read(#"{"token":"t","nonce":"n","name":"Betty","deviceName":"phone"}"#) == all)
        for wrong in ["{}", #"{"token":null}"#, #"{"token":7}"#, #"{"token":"t","nonce":7}"#] {
            #expect(throws: DecodingError.self) { try read(wrong) }
        }
    }

    @Test func `each outcome has its refusal, and a locked number that of codes`() throws {
        #expect(PhoneTokenAnswer(.proved, proof: "sealed").refusal == nil)
        #expect(throws: Refusal.unavailable) { try PhoneTokenAnswer(.proved).proof.orUnavailable() }
        let refusals: [(PhoneTokenAnswer, Refusal)] = [
            (PhoneTokenAnswer(.refused), .invalidIdentityToken),
            (PhoneTokenAnswer(.used), .identityTokenUsed), (PhoneTokenAnswer(.blockedCountry), .blockedCountry),
            (
                PhoneTokenAnswer(.tooManyAttempts, limit: .requests, retryAfterSeconds: 7),
                .tooManyGuesses(.requests, retryAfterSeconds: 7)
            ),
            (PhoneTokenAnswer(.tooManyAttempts), .tooManyGuesses(retryAfterSeconds: 3_600)),
            (PhoneTokenAnswer(.off), .notFound),
        ]
        for (answer, refusal) in refusals { #expect(answer.refusal == refusal) }
    }
}

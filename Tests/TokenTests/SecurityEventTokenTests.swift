import AccessTokens
import CryptoPrimitives
import Foundation
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing
import UserEvents

@testable import TokenCore

/// Security Event Tokens of revoked sessions.
@Suite struct SecurityEventTokenTests {
    private static func policy(_ format: String) throws -> Policy {
        try StorageUnderTest.policy("userHook: { format: \(format) }")
    }

    private static let event = QueuedEvent(
        id: 1, user: [UInt8](repeating: 1, count: 16), sequence: 1_500_000, kind: "session.revoked",
        subject: [UInt8](repeating: 2, count: 12), reason: "logout", madeAt: 1_500, queuedAt: 1_500)

    private func keys(_ policy: Policy) async throws -> SigningKeys {
        let storage = try await StorageUnderTest(.sqlite).replica()
        let ring = try KeyRing(parsing: "k1 " + Hex.encode(SecureRandom.bytes(32)))
        return try await SigningKeys(
            store: storage.keys, rule: KeyRule(policy), storageRing: ring, secretRing: nil, now: 1_000)
    }

    @Test func `a token is signed with a published key, and names user, session and event`() async throws {
        let policy = try Self.policy("set")
        let keys = try await keys(policy)
        let bodies = SessionEventBodies(
            userIDs: StoredUserID(prefix: "usr_"), tokens: SecurityEventTokens(policy, keys: keys, now: { 1_600 }))
        let sent = try await bodies([Self.event])
        let text = try #require(sent.first?.data.securityEventToken)
        let jws = try CompactJWS(Array(text.utf8))
        #expect(jws.header.type == "secevent+jwt")
        let key = try #require(keys.current.verification[jws.header.keyID ?? ""])
        let payload = try JSONSerialization.jsonObject(with: Data(try jws.payload(verifiedWith: key)))
        let expected: NSDictionary = [
            "iss": "test.app", "aud": "test-api", "iat": 1_600,
            "jti": "session_01010101010101010101010101010101_1500000",
            "sub_id": [
                "format": "complex",
                "user": ["format": "iss_sub", "iss": "test.app", "sub": "usr_01010101010101010101010101010101"],
                "session": ["format": "opaque", "id": "020202020202020202020202"],
            ],
            "events": [
                "https://schemas.openid.net/secevent/caep/event-type/session-revoked": [
                    "event_timestamp": 1_500, "reason_admin": ["en": "logout"],
                ]
            ],
        ]
        #expect(payload as? NSDictionary == expected)
    }

    @Test(arguments: ["plain", "set"])
    func `the event after a restore has neither a user nor a token`(_ format: String) async throws {
        let policy = try Self.policy(format)
        let tokens = SecurityEventTokens(policy, keys: try await keys(policy), now: { 1_600 })
        let bodies = SessionEventBodies(userIDs: StoredUserID(prefix: "usr_"), tokens: tokens)
        let event = QueuedEvent(
            id: 1, user: UserEvent.everybody, sequence: 1_500_000, kind: "session.all_revoked", subject: nil,
            reason: nil, madeAt: 1_500, queuedAt: 1_500)
        let body = try #require(try await bodies([event]).first)
        #expect(String(decoding: try body.encoded(), as: UTF8.self).contains(#""userId":"""#))
        #expect(body.data.sessionId == nil && body.data.securityEventToken == nil)
    }

    @Test func `no verifier of access tokens accepts one`() async throws {
        let policy = try Self.policy("set")
        let keys = try await keys(policy)
        let tokens = SecurityEventTokens(policy, keys: keys, now: { 1_600 })
        let text = try #require(try tokens?.token(of: Self.event, userID: "usr_1"))
        let verifier = AccessTokenVerifier(issuer: "test.app", audience: "test-api", keys: keys.current.verification)
        #expect(throws: TokenRejection.wrongType) { try verifier.verify(Array(text.utf8), now: 1_600) }
    }

    @Test func `without the format there is none`() async throws {
        let policy = try Self.policy("plain")
        let tokens = SecurityEventTokens(policy, keys: try await keys(policy), now: { 1_600 })
        #expect(tokens == nil)
    }
}

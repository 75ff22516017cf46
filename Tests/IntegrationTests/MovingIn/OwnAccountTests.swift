import AuthAPI
import Foundation
import StrictJSON
import TestSupport
import Testing

extension Live.MovingInTests {
    /// The access token of a new user with the password "abc".
    private func newUser() async throws -> (address: String, token: String) {
        let address = LatchkeyStack.freshAddress()
        let path = stack.dataDirectory + "/own-\(UUID().uuidString).jsonl"
        let line =
            #"{"email":"\#(address)","emailVerified":true,"name":"Ann","#
            + #""passwordHash":"$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"}"#
        try line.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await stack.control("users import '\(path)'").isSuccess)
        let login = try await logIn(address)
        return (address, try login.decoded(LoginReply.self).tokens.accessToken)
    }

    private func delete(_ token: String, _ body: String = "") async throws -> HTTPAnswer {
        try await stack.gateway.send(
            "DELETE", "/users/me",
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: Array(body.utf8))
    }

    @Test func `a user with a password deletes the account by it, or soon after a sign-in`() async throws {
        let (_, fresh) = try await newUser()
        #expect(try await delete(fresh, #"{"password":"wrong horse"}"#).status == 400)
        let deleted = try await delete(fresh)
        #expect(deleted.status == 200, "\(deleted.text)")

        let (_, old) = try await newUser()
        _ = try await stack.sql("tokens", "UPDATE sessions SET authenticated_at = authenticated_at - 301")
        let refused = try await delete(old)
        #expect(refused.status == 403 && refused.text.contains("reauthentication_required"), "\(refused.text)")
        #expect(try await delete(old, #"{"password":"abc"}"#).status == 200)
    }

    @Test func `a user without a password deletes the account with any body, or none`() async throws {
        for body in ["", "{}", #"{"password":"x"}"#] {
            let token = try await stack.signIn().tokens.accessToken
            _ = try await stack.sql("tokens", "UPDATE sessions SET authenticated_at = authenticated_at - 301")
            let deleted = try await delete(token, body)
            #expect(deleted.status == 200, "\(body): \(deleted.text)")
        }
    }

    @Test func `a name is removed by null and shown as null`() async throws {
        let (_, token) = try await newUser()
        let changed = try await stack.gateway.send(
            "PATCH", "/users/me",
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: Array(#"{"name":null}"#.utf8))
        #expect(changed.status == 200 && changed.text.contains(#""name":null"#), "\(changed.text)")
    }
}

import AuthAPI
import TestSupport
import Testing

extension Live {
    /// A sign-in to an account that waits for its deletion, where the policy does not take that back.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": KeyPolicy.asking]))
    struct ScheduledDeletionTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `it is told as what it is, and not as a wrong code`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let bearer = try await stack.signIn(phone: phone).tokens.accessToken
            let deleted = try await stack.gateway.send(
                "DELETE", "/users/me", headers: [("Authorization", "Bearer \(bearer)")])
            #expect(deleted.status == 200)
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
            let answer = try await stack.gateway.post("/auth/otp/verify", encoding: body)
            #expect(answer.status == 409)
            #expect(answer.headers["content-type"] == Problem.mediaType)
            let problem: Problem = try answer.decoded()
            #expect(problem.code == "deletion_scheduled" && problem.title == "The account waits for its deletion")
            let token = try #require(problem.restoreToken)
            let wrong = try await stack.gateway.post("/auth/restore", encoding: RestoreBody(restoreToken: token + "A"))
            #expect(wrong.status == 400 && wrong.text.contains("invalid_sign_in"), "\(wrong.text)")
            let restored = try await stack.gateway.post(
                "/auth/restore", encoding: RestoreBody(restoreToken: token, deviceName: "Pixel"))
            #expect(restored.status == 200, "\(restored.text)")
            let signedIn = try restored.decoded(SignInReply.self)
            #expect(signedIn.restored == true && !signedIn.isNewUser && signedIn.user.phoneNumber == phone)
            let profile = try await stack.gateway.send(
                "GET", "/users/me", headers: [("Authorization", "Bearer \(signedIn.tokens.accessToken)")])
            #expect(profile.status == 200)
            // The token opens one session.
            let again = try await stack.gateway.post("/auth/restore", encoding: RestoreBody(restoreToken: token))
            #expect(again.status == 400, "\(again.text)")
        }
    }
}

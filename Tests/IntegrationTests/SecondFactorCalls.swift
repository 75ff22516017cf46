import AuthAPI
import StrictJSON
import TestSupport
import Testing

/// Requests about second factors.
struct SecondFactorCalls: Sendable {
    let stack: LatchkeyStack

    /// - Parameter token: the access token; `nil` for a request without one.
    func send(_ method: String, _ path: String, _ token: String? = nil, _ body: String = "") async throws -> HTTPAnswer
    {
        try await patiently {
            try await stack.gateway.send(
                method, path,
                headers: (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
                    + [("Content-Type", "application/json")], body: Array(body.utf8))
        }
    }

    func text(_ member: String, of answer: HTTPAnswer) throws -> String {
        try #require(
            try StrictJSON.parse(Array(answer.text.utf8), limits: .own)[member]?.stringValue, "\(answer.text)")
    }

    /// Turns TOTP on, lets the session step up, and returns the recovery codes.
    func enrol(_ token: String) async throws -> [String] {
        struct Body: Decodable { let recoveryCodes: [String] }
        let secret = try text("secret", of: try await send("POST", "/users/me/mfa/totp", token))
        let body = #"{"code":"\#(AuthenticatorApp.code(secret))"}"#
        let activated = try await send("POST", "/users/me/mfa/totp/activate", token, body)
        #expect(activated.status == 200, "\(activated.text)")
        let stepUp = try await send(
            "POST", "/auth/reauthenticate", token, #"{"totp":"\#(AuthenticatorApp.code(secret, step: 1))"}"#)
        #expect(stepUp.status == 200, "\(stepUp.text)")
        return try activated.decoded(Body.self).recoveryCodes
    }

    /// Turns TOTP on, for each sign-in with one factor.
    func require(_ token: String) async throws -> [String] {
        let codes = try await enrol(token)
        let required = try await send("PATCH", "/users/me/mfa", token, #"{"required":true}"#)
        #expect(required.status == 200, "\(required.text)")
        return codes
    }

    func signIn(_ phone: String) async throws -> HTTPAnswer {
        try await stack.requestCode(for: phone)
        let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
        return try await stack.gateway.post("/auth/otp/verify", encoding: body)
    }

    /// The token of a sign-in with one factor, which is refused.
    func mfaToken(_ phone: String) async throws -> String {
        let refused = try await signIn(phone)
        #expect(refused.status == 403, "\(refused.text)")
        #expect(try text("code", of: refused) == "second_factor_required")
        return try text("mfaToken", of: refused)
    }

    func verify(_ mfaToken: String, recoveryCode: String) async throws -> HTTPAnswer {
        try await send(
            "POST", "/auth/mfa/verify", nil, #"{"mfaToken":"\#(mfaToken)","recoveryCode":"\#(recoveryCode)"}"#)
    }
}

import InternalAPI
import WebAuthn

/// The body of `POST /users/me/mfa/totp/activate`.
struct TOTPCodeBody: Codable {
    let code: String
}

/// The body of `PATCH /users/me/mfa`.
struct SecondFactorRequiredBody: Codable {
    let required: Bool
}

/// The response to `POST /users/me/mfa/totp`.
struct TOTPReply: Codable {
    let secret: String
    let uri: String
}

/// The response to `GET` and `PATCH /users/me/mfa`.
struct SecondFactorReply: Codable {
    let totp: Bool
    let required: Bool
    let recoveryCodesLeft: Int64
    let passkeys: Int64
    let activeFrom: Int64?
    let resetAt: Int64?

    init(_ state: SecondFactorState) {
        (totp, required, passkeys) = (state.totp, state.required, state.passkeys)
        (recoveryCodesLeft, activeFrom, resetAt) = (state.recoveryCodesLeft, state.activeFrom, state.resetAt)
    }
}

/// The body of `POST /auth/mfa/options`.
struct SecondFactorOptionsBody: Codable {
    let mfaToken: String
}

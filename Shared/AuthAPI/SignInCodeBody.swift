/// The body of `POST /auth/apple/verify` and `POST /auth/oidc/{name}/verify`.
public struct SignInCodeBody: Codable, Sendable, Equatable {
    /// The code that the browser brought to the app.
    public var code: String
    /// The secret whose hash began the sign-in (RFC 7636 §4.1).
    public var verifier: String
    /// The name of a new user; without it the name that the provider gave.
    public var fullName: PersonName?
    /// How the list of sessions names this device.
    public var deviceName: String?

    public init(code: String, verifier: String, fullName: PersonName? = nil, deviceName: String? = nil) {
        self.code = code
        self.verifier = verifier
        self.fullName = fullName
        self.deviceName = deviceName
    }
}

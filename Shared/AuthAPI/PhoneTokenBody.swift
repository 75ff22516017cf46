/// The body of `POST /auth/phone-token`.
public struct PhoneTokenBody: Codable, Sendable, Equatable {
    /// The token as the SDK gave it to the app.
    public var token: String
    /// The nonce whose hash the app gave to the SDK.
    public var nonce: String?
    /// The name of a new user.
    public var name: String?
    /// How the list of sessions names this device.
    public var deviceName: String?
    /// `true` begins a new account with the number, after `second_identity_required`.
    public var newAccount: Bool?

    public init(
        token: String, nonce: String? = nil, name: String? = nil, deviceName: String? = nil, newAccount: Bool? = nil
    ) {
        self.newAccount = newAccount
        self.token = token
        self.nonce = nonce
        self.name = name
        self.deviceName = deviceName
    }
}

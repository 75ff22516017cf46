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

    public init(token: String, nonce: String? = nil, name: String? = nil, deviceName: String? = nil) {
        self.token = token
        self.nonce = nonce
        self.name = name
        self.deviceName = deviceName
    }
}

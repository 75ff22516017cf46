/// The body of `POST /auth/restore`, which cancels the scheduled deletion of an account and signs in.
public struct RestoreBody: Codable, Sendable, Equatable {
    /// The token of the response `deletion_scheduled`.
    public var restoreToken: String
    /// How the list of sessions names this device.
    public var deviceName: String?

    public init(restoreToken: String, deviceName: String? = nil) {
        self.restoreToken = restoreToken
        self.deviceName = deviceName
    }
}

/// The client of a sign-in, as far as it shows whether the user has signed in from there before.
package struct SignInOrigin: Codable, Sendable, Equatable {
    /// The SHA-256 of `X-Device-Fingerprint` in base64url; `nil` if the client sent none.
    package var fingerprint: String?
    package var deviceName: String?
    package var userAgent: String?
    package var address: String

    package init(fingerprint: String? = nil, deviceName: String? = nil, userAgent: String? = nil, address: String) {
        self.fingerprint = fingerprint
        self.deviceName = deviceName
        self.userAgent = userAgent
        self.address = address
    }
}

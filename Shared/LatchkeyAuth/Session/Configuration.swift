public import Foundation

extension LatchkeyAuth {
    /// The settings of a ``LatchkeyAuth``. Only the base URL is needed.
    public struct Configuration: Sendable {
        /// The server's address, such as `https://api.example.com`.
        ///
        /// `http` works in debug builds only, on loopback and private addresses.
        public var baseURL: URL
        /// The name of the session in the store. Give each user of a device a name of their own.
        public var profile = "default"
        /// The store; `nil` for the platform's own: the Keychain on Apple's systems, elsewhere a file that only this user can read.
        public var store: (any SessionStore)?
        /// The way in which requests reach the server.
        public var transport: any Transport = URLSessionTransport()
        public var clock: any DeviceClock = SystemClock()
        public var surroundings: any Surroundings = SystemSurroundings()
        /// The time before the end of an access token at which it is renewed; at most a fifth of its lifetime.
        public var early: Duration = .seconds(300)
        /// Hosts of other APIs that may have the access token, over https.
        public var alsoSendTo: Set<String> = []
        /// Hosts of links in mails, if they are not the base URL's: those of the policy's `email.linkURL`.
        public var linkHosts: Set<String> = []
        /// The URLs by which a provider's page returns to the app, in the order of preference: some of the policy's `webRedirects`.
        /// Without any it is `/signed-in` with the app's identifier as scheme, such as `com.example.app:/signed-in`.
        public var webRedirects: [URL] = []
        /// The browser for the pages of providers; `nil` for the system's own on iOS, macOS and visionOS.
        public var browser: (any Browser)?
        /// The keeper of passkeys; `nil` for the system's own on iOS, macOS and visionOS.
        public var passkeys: (any PasskeyProvider)?
        /// The name of this device in the user's list of sessions; by default its kind, such as `iPhone`.
        public var deviceName: String? = ThisDevice.kind
        /// An id by which the server recognises this installation of the app when a user signs in, sent as `X-Device-Fingerprint`;
        /// `nil` for a random one that the library keeps. Do not use an id of the hardware.
        public var installationID: String?
        /// Receives lines for a log. No line contains a token, code, phone number or address.
        public var log: (@Sendable (LogLine) -> Void)?

        public init(baseURL: URL) { self.baseURL = baseURL }
    }
}

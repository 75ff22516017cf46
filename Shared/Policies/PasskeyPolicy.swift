/// Sign-in with passkeys, which a user adds after another sign-in (W3C Web Authentication Level 3).
package struct PasskeyPolicy: Sendable, Equatable {
    /// Whether the authenticator has to verify the user, by biometrics or a PIN.
    package enum UserVerification: String, Sendable, CaseIterable {
        case required
        /// A sign-in without it has `acr: aal1`.
        case preferred
    }

    /// The domain that passkeys belong to; `nil` for the host of the public URL.
    package var rpID: String?
    package var origins: [String] = []
    /// The origins of other domains, which browsers read at `/.well-known/webauthn`.
    package var relatedOrigins: [String] = []
    package var userVerification = UserVerification.required
    package var perUserMax: Int = 10
    /// Whether clients get options for a passkey before they have a session.
    package var signUp = false
    package var restoreKeys = false
    package var addDelayHours: Int64 = 24

    package init() {}
}

extension PasskeyPolicy {
    private static let originCountMax = 16

    static let keys: [Key<Self>] = [
        Key(
            "rpID", optional: \.rpID, .text(.relyingPartyID),
            "The domain that passkeys belong to, by default the host of `publicURL`. Never change it once users have passkeys: "
                + "all of them would be lost.",
            example: "auth.example.com"),
        Key(
            "origins", \.origins, .values(0...originCountMax, .passkeyOrigin),
            "The origins of pages that use passkeys, in addition to `https://` and `rpID`, and to the apps of `apps`.",
            example: "[\"https://app.example.com\"]"),
        Key(
            "relatedOrigins", \.relatedOrigins, .values(0...originCountMax, .passkeyOrigin),
            "Origins of other domains, which browsers read at /.well-known/webauthn of `rpID`."),
        Key(
            "userVerification", \.userVerification, .choice,
            "Whether the device has to verify the user, by biometrics or a PIN. With `preferred`, a sign-in without it has "
                + "`acr: aal1`."),
        Key("perUserMax", \.perUserMax, .integer(1...50), "The passkeys of one user."),
        Key(
            "signUp", \.signUp, .flag,
            "Whether clients get options for a passkey without a session, which the sign-up sheet of iOS 26 needs."),
        Key(
            "restoreKeys", \.restoreKeys, .flag,
            "Whether Android apps may add restore keys, which sign in on a new phone."),
        Key(
            "addDelayHours", \.addDelayHours, .integer(0...720),
            "The hours until a further passkey works that was added after a code alone. The user can object meanwhile."),
    ]
}

extension Policy {
    /// The domain that passkeys belong to; `nil` if nothing states one.
    ///
    /// - Parameter publicURL: The policy's URL, or the one of the environment; `nil` if neither states one.
    package func relyingPartyID(publicURL: PublicURL?) -> String? { passkeys?.rpID ?? publicURL?.host.lowercased() }
}

extension AppsPolicy {
    /// The SHA-256 of each certificate that signs an app for Android, in bytes.
    package var certificateHashes: [[UInt8]] {
        android.flatMap(\.fingerprints).map { $0.split(separator: ":").compactMap { UInt8($0, radix: 16) } }
    }
}

extension ValueRule where Value == String {
    fileprivate static var relyingPartyID: TextRule {
        TextRule("a domain such as example.com in lower case, or localhost; not an IP address") { text in
            text == "localhost" || TextRule.domain.parse(text) != nil && IPAddress(Substring(text)) == nil
        }
    }

    /// An origin exactly as browsers state it, since requests are compared with it byte by byte.
    fileprivate static var passkeyOrigin: TextRule {
        TextRule(
            "an origin such as https://app.example.com as browsers state it: in lower case, without a path and a default port; "
                + "http only for localhost"
        ) { text in
            guard let url = PublicURL(text), url.origin.utf8.elementsEqual(text.utf8), text == text.lowercased(),
                IPAddress(Substring(url.host)) == nil, !text.contains(":0")
            else { return false }
            return text.hasPrefix("https://")
                ? !text.hasSuffix(":443") : url.host == "localhost" && !text.hasSuffix(":80")
        }
    }
}

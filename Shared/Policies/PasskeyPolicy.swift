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
    fileprivate static let localID = "localhost"
    fileprivate static let labelCountMax = 5
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

extension Policy {
    /// The reasons why passkeys could not be used, one sentence each; empty if there are none.
    ///
    /// - Parameter publicURL: The policy's URL, or the one of the environment; `nil` if neither states one.
    package func passkeyProblems(publicURL: PublicURL?, in environment: DeploymentEnvironment) -> [String] {
        guard let passkeys else { return [] }
        guard let id = relyingPartyID(publicURL: publicURL) else {
            return ["\(name): passkeys needs rpID, or publicURL or LATCHKEY_PUBLIC_URL, whose host it is by default."]
        }
        guard TextRule.relyingPartyID.parse(id) != nil else {
            return ["\(name): passkeys.rpID \(id) cannot have passkeys. Use \(TextRule.relyingPartyID.allowed)."]
        }
        let related = Set(passkeys.relatedOrigins)
        let foreign = passkeys.origins.filter { origin in
            let host = PublicURL(origin)?.host ?? ""
            return host != id && !host.hasSuffix("." + id) && !related.contains(origin)
        }
        return foreign.map {
            "\(name): passkeys.origins \($0) is not on \(id), so browsers use no passkeys there. Use another rpID, or add the "
                + "origin to passkeys.relatedOrigins."
        } + (environment == .production ? localPasskeys(id, passkeys) : [])
    }

    /// The reasons not to use local origins in production.
    private func localPasskeys(_ id: String, _ passkeys: PasskeyPolicy) -> [String] {
        let origins = (passkeys.origins + passkeys.relatedOrigins).filter { $0.hasPrefix("http://") }
        return origins.map { "\(name): passkeys.origins \($0) is not https, which production needs. Use https." }
            + (id == PasskeyPolicy.localID
                ? ["\(name): passkeys.rpID is \(id), where no user of production has a passkey. Use the domain."] : [])
    }

    /// A warning about related origins that browsers do not read. They stop after five labels, such as `example` of
    /// `example.com` and `example.co.uk` (L3 §5.11).
    var passkeyCautions: [String] {
        let origins = passkeys?.relatedOrigins ?? []
        let labels = Set(
            origins.compactMap { SiteRule.site(of: PublicURL($0)?.host ?? "")?.split(separator: ".").first })
        guard labels.count > PasskeyPolicy.labelCountMax else { return [] }
        return [
            "\(name): passkeys.relatedOrigins has origins of \(labels.count) domains, but browsers read only the first "
                + "\(PasskeyPolicy.labelCountMax) (deploy/docs/app/passkeys.md)."
        ]
    }
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
            text == PasskeyPolicy.localID || TextRule.domain.parse(text) != nil && IPAddress(Substring(text)) == nil
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
                ? !text.hasSuffix(":443") : url.host == PasskeyPolicy.localID && !text.hasSuffix(":80")
        }
    }
}

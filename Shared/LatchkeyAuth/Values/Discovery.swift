/// The server's features and limits, from `GET /.well-known/latchkey`.
///
/// A server older than that document leaves every value unknown (`nil`).
public struct Discovery: Sendable, Equatable {
    /// The server's version.
    public let version: String?
    /// The issuer of access tokens.
    public let issuer: String?
    /// The number of digits of a code.
    public let codeLength: Int?
    /// The time that a code is valid.
    public let codeLifetime: Duration?
    /// The time after which another code can be requested.
    public let resendAfter: Duration?
    /// The channels by which codes reach phones; empty if the server sends none.
    public let channels: [Channel]?
    /// Whether codes and links go out by mail.
    public let hasMail: Bool?
    /// Whether users can have a password.
    public let hasPasswords: Bool?
    /// The domain that passkeys belong to; `nil` if users can have none.
    public let passkeyDomain: String?
    /// Whether ``LatchkeyAuth/signUp(locale:)`` is allowed.
    public let hasSignUp: Bool?
    /// Whether users can have a second factor.
    public let hasSecondFactors: Bool?
    /// The names of identity providers, such as `apple` or `google`.
    public let providers: [String]?
    /// The lifetime of an access token.
    public let accessLifetime: Duration?
}

extension Discovery {
    /// The document of a server that has none.
    static let unknown = Discovery(.object([:]))

    init(_ json: JSONValue) {
        let members = json.members ?? [:]
        let codes = members["codes"]?.members ?? [:]
        version = members["version"]?.text
        issuer = members["issuer"]?.text
        codeLength = codes["length"]?.whole.flatMap { Int(exactly: $0) }
        codeLifetime = codes["lifetimeSeconds"]?.seconds
        resendAfter = codes["resendAfterSeconds"]?.seconds
        channels = codes["channels"]?.texts?.compactMap(Channel.init(rawValue:))
        hasMail = members["mail"]?.truth
        hasPasswords = members["passwords"]?.truth
        let passkeys = members["passkeys"]?.members
        passkeyDomain = passkeys?["rpID"]?.text
        hasSignUp = passkeys?["signUp"]?.truth
        hasSecondFactors = members["mfa"]?.truth
        providers = members["providers"]?.texts
        accessLifetime = members["access"]?.members?["lifetimeSeconds"]?.seconds
    }
}

extension JSONValue {
    /// The number of seconds as a duration, or `nil` for anything else.
    fileprivate var seconds: Duration? { whole.flatMap { (0...Int64(Int32.max)).contains($0) ? .seconds($0) : nil } }

    /// The Boolean. An object counts as true, so that a feature can get options in a later release.
    fileprivate var truth: Bool? {
        switch self {
        case .boolean(let value): value
        case .object: true
        default: nil
        }
    }
}

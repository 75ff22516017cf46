import AccessTokens
import CryptoPrimitives
import Policies
import ServiceKit
import StrictJSON

/// The deployment's key at Apple, which signs a new client secret for each call.
struct AppleClientSecret: Sendable {
    /// How many seconds a client secret is valid.
    static let lifetimeSeconds: Int64 = 300
    /// The audience of client secrets, whatever the URL of Apple's server.
    static let audience = "https://appleid.apple.com"

    let teamID: String
    /// An ES256 key whose key id is the one that Apple shows.
    let key: SigningKey

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
        let exp: Int64
        let aud: String
        let sub: String
    }

    /// Returns a new client secret, which is a JWT.
    ///
    /// - Parameters:
    ///   - clientID: the bundle id or Services ID to which Apple issued the code or token.
    ///   - now: Unix time in seconds.
    func text(for clientID: String, now: Int64) throws -> String {
        let claims = Claims(
            iss: teamID, iat: now, exp: now + Self.lifetimeSeconds, aud: Self.audience, sub: clientID)
        return try CompactJWS.sign(try StrictJSON.encode(claims), type: nil, with: key)
    }
}

extension AppleClientSecret {
    private static let teamSetting = "APPLE_TEAM_ID"
    private static let keySetting = "APPLE_KEY_ID"
    private static let secret = "apple_key"
    private static let pemHead = "-----BEGIN PRIVATE KEY-----"

    /// Reads `APPLE_TEAM_ID`, `APPLE_KEY_ID` and the secret `apple_key`, or returns `nil` if all three are missing. Users can sign
    /// in with Apple without them, but their tokens at Apple are not revoked.
    ///
    /// - Throws: `SettingsError` if only some of them are set, or one is invalid.
    init?(_ settings: ProcessSettings) throws {
        let (team, keyID) = (settings.variable(Self.teamSetting), settings.variable(Self.keySetting))
        let pem = try settings.secrets.optionalText(Self.secret)
        guard team != nil || keyID != nil || pem != nil else { return nil }
        let present = team != nil ? Self.teamSetting : keyID != nil ? Self.keySetting : "secret \(Self.secret)"
        func required<Value>(_ value: Value?, _ name: String, _ use: String) throws(SettingsError) -> Value {
            guard let value else { throw SettingsError.missing(name, because: "\(present) is set", use: use) }
            return value
        }
        teamID = try Self.id(try required(team, Self.teamSetting, Self.idRule), Self.teamSetting)
        let id = try Self.id(try required(keyID, Self.keySetting, Self.idRule), Self.keySetting)
        key = try Self.key(
            try required(pem, "secret \(Self.secret)", "a file of that name with the .p8 file from Apple").value, id)
    }

    private static let idRule = "the 10 characters that Apple's developer account shows"

    private static func id(_ text: String, _ setting: String) throws(SettingsError) -> String {
        let isID =
            text.utf8.count == 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        guard isID else { throw SettingsError.invalid(setting, text, use: idRule) }
        return text
    }

    private static func key(_ pem: String, _ id: String) throws(SettingsError) -> SigningKey {
        let problem = "is not a P-256 key in PKCS#8. Use the .p8 file from Apple as it is."
        guard pem.hasPrefix(pemHead) else { throw SettingsError("secret \(secret)", problem) }
        do throws(KeyError) { return try SigningKey(keyID: id, algorithm: .ES256, privateKeyPEM: pem) } catch {
            throw SettingsError("secret \(secret)", problem)
        }
    }
}

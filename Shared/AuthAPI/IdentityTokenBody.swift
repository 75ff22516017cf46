/// The body of `POST /auth/apple` (howru section 9) and `POST /auth/oidc/{name}`.
///
/// Unverified members, such as howru's `email`, are not read at all.
public struct IdentityTokenBody: Codable, Sendable, Equatable {
    /// The provider's token, as its SDK gave it to the app.
    public var identityToken: String
    /// The name of a new user.
    public var fullName: PersonName?
    /// The nonce whose hash the app gave to the provider's SDK.
    public var nonce: String?
    /// Apple's authorization code, as `ASAuthorizationAppleIDCredential` contains it. With it, Latchkey can revoke Apple's tokens
    /// when the account is removed.
    public var authorizationCode: String?
    /// How the list of sessions names this device.
    public var deviceName: String?

    public init(
        identityToken: String, fullName: PersonName? = nil, nonce: String? = nil, deviceName: String? = nil,
        authorizationCode: String? = nil
    ) {
        self.identityToken = identityToken
        self.fullName = fullName
        self.nonce = nonce
        self.authorizationCode = authorizationCode
        self.deviceName = deviceName
    }
}

/// A person's name: a text, or the JSON of Foundation's `PersonNameComponents`.
///
/// A name is for display only, so an unreadable one counts as missing and is no error.
public struct PersonName: Codable, Sendable, Equatable {
    private enum Component: String, CodingKey, CaseIterable {
        case namePrefix, givenName, middleName, familyName, nameSuffix
    }

    /// The name as one text; empty if there is none.
    public var text: String

    public init(_ text: String) { self.text = text }

    public init(from decoder: any Decoder) throws {
        do {
            text = try decoder.singleValueContainer().decode(String.self)
        } catch is DecodingError {
            text = Self.components(decoder).joined(separator: " ")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }

    /// Returns the components in the order in which they are spoken; none for any other JSON.
    private static func components(_ decoder: any Decoder) -> [String] {
        Component.allCases.compactMap { component in
            do {
                return try decoder.container(keyedBy: Component.self).decodeIfPresent(String.self, forKey: component)
            } catch { return nil }
        }
        .filter { !$0.isEmpty }
    }
}

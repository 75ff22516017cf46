/// A token of a response that lacks the member if a cookie has the token. It is empty then.
@propertyWrapper
public struct CookieToken: Codable, Sendable, Equatable {
    public var wrappedValue: String

    public init(wrappedValue: String) { self.wrappedValue = wrappedValue }
}

extension KeyedEncodingContainer {
    /// Encodes a token, unless it is empty.
    public mutating func encode(_ token: CookieToken, forKey key: Key) throws {
        guard !token.wrappedValue.isEmpty else { return }
        try encode(token.wrappedValue, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a token, which is empty if the member is missing.
    public func decode(_: CookieToken.Type, forKey key: Key) throws -> CookieToken {
        CookieToken(wrappedValue: try contains(key) ? decode(String.self, forKey: key) : "")
    }
}

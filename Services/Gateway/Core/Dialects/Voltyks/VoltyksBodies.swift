import InternalAPI
import ServiceKit

/// The envelope of every successful response of the document ("Response Format").
struct VoltyksEnvelope<Content: Encodable>: Encodable {
    let status = true
    let message: String
    let data: Content
}

/// The envelope of a refusal ("Error Response"). A client that receives it discards its tokens.
struct VoltyksRefusal: Encodable {
    let message: String

    private enum CodingKeys: String, CodingKey {
        case status, message, data, errors
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(false, forKey: .status)
        try members.encode(message, forKey: .message)
        try members.encodeNil(forKey: .data)
        try members.encodeNil(forKey: .errors)
    }
}

/// A session's tokens ("Response Fields", and `login` of the usage examples). Times are in UTC and are written without a zone.
struct VoltyksTokens: Encodable {
    /// The request by which the client got the access token.
    enum Origin: Sendable {
        case login, refresh
    }

    let origin: Origin
    let tokens: TokenSet

    /// The shape of a response with tokens.
    static func shape(_ origin: Origin) -> JSONShape {
        let names = [
            origin == .login ? "token" : "accessToken", "refreshToken", "accessTokenExpiresAt", "refreshTokenExpiresAt",
        ]
        let tokens = JSONShape.object(
            name: origin == .login ? "LoginTokens" : "Tokens", names.map { .init(name: $0, shape: .string) })
        return .object(
            name: origin == .login ? "Login" : "Refresh",
            [
                .init(name: "status", shape: .boolean), .init(name: "message", shape: .string),
                .init(name: "data", shape: tokens),
            ])
    }

    private enum CodingKeys: String, CodingKey {
        case accessToken, token, refreshToken, accessTokenExpiresAt, refreshTokenExpiresAt
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(tokens.accessToken, forKey: origin == .login ? .token : .accessToken)
        try members.encode(tokens.refreshToken, forKey: .refreshToken)
        try members.encode(ISOTime.text(tokens.accessExpiresAt), forKey: .accessTokenExpiresAt)
        try members.encode(ISOTime.text(tokens.refreshExpiresAt), forKey: .refreshTokenExpiresAt)
    }
}

import AuthAPI

/// The response to a refresh: the native members, and the tokens under the names of a login.
struct UtaTokens: Codable {
    struct Pair: Codable {
        @CookieToken var access: String
        @CookieToken var refresh: String
    }

    @CookieToken var accessToken: String
    @CookieToken var refreshToken: String
    /// The remaining lifetime of the access token, in seconds.
    let expiresIn: Int64
    let tokens: Pair

    init(_ reply: TokenReply) {
        accessToken = reply.accessToken
        refreshToken = reply.refreshToken
        expiresIn = reply.expiresIn
        tokens = Pair(access: reply.accessToken, refresh: reply.refreshToken)
    }
}

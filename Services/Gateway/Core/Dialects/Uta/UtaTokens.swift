import AuthAPI

/// The answer to a refresh: the native members, and the tokens as a login names them.
struct UtaTokens: Encodable {
    struct Pair: Encodable {
        let access: String
        let refresh: String
    }

    let accessToken: String
    let refreshToken: String
    /// Seconds that the access token lives from now.
    let expiresIn: Int64
    let tokens: Pair

    init(_ reply: TokenReply) {
        accessToken = reply.accessToken
        refreshToken = reply.refreshToken
        expiresIn = reply.expiresIn
        tokens = Pair(access: reply.accessToken, refresh: reply.refreshToken)
    }
}

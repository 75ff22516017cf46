extension Document {
    /// The requirements of gremlin's document, row by row.
    static let gremlin = Document(name: "gremlin", statements: gremlinSignIn + gremlinRefusals + gremlinApps)

    private static let web = Statement.Keeper.suite("IntegrationTests/Cookies/PageOverTLSTests.swift")

    private static let gremlinSignIn = [
        Statement("G1", "hybrid: cookies for web", web),
        Statement("G2", "hybrid: bearer for mobile"),
        Statement("G3", "HttpOnly secure cookies", web),
        Statement("G4", "POST /api/auth/sign-in-email {email, password}"),
        Statement("G5", "answer user {id, email}, session {token, refreshToken, expiresAt with Z}"),
        Statement("G6", "session.token is a JWT for all requests"),
        Statement("G7", "JWT lives 1 hour"),
        Statement("G8", "POST /api/auth/refresh {refreshToken}"),
        Statement("G9", "Better Auth service's own path"),
        Statement("G10", "accounts with e-mail and password exist"),
        Statement("G11", "GET /api/admin/users with bearer"),
    ]

    private static let gremlinRefusals = [
        Statement("G12", "401 for missing, malformed, expired"),
        Statement("G13", "403 for inactive users"),
        Statement("G14", "403 for lacking role"),
        Statement("G15", "is_active status, changeable"),
        Statement("G16", "client can check is_active"),
        Statement("G17", "roles of users"),
        Statement("G18", "tokens revoked on the server at logout"),
    ]

    private static let gremlinApps = [
        Statement("G19", "tokens revoked locally at logout", .suite("Clients/scenarios/ends.json")),
        Statement(
            "G20", "tokens in the system's secure storage, never plain SharedPreferences/UserDefaults",
            .suite("Clients/scenarios/store.json")),
        Statement("G21", "never log full Authorization headers"),
        Statement("G22", "HTTPS for all communication", .suite("IntegrationTests/TLS/TLSStackTests.swift")),
        Statement("G23", "iOS snippet (KeychainHelper.standard.read, URLSession)"),
        Statement("G24", "Android snippet (OkHttp, enqueue)", .shownInLongForm),
        Statement("G25", "on 401 refresh or sign in again; refresh before expiry", .shownInLongForm),
        Statement("G26", "mobile clients need no cookies", .nobody("without `Origin` no response sets one")),
        Statement(
            "G27", "403: the client can check role requirements",
            .nobody("`required_roles`, which the native 403 does not have")),
    ]
}

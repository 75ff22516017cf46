extension Document {
    /// The requirements of voltyks' document, row by row.
    static let voltyks = Document(
        name: "voltyks", statements: voltyksTokens + voltyksRefusals + voltyksClients + voltyksAdvice)

    private static let voltyksTokens = [
        Statement("V1", "POST /api/Auth/RefreshToken"),
        Statement("V2", "refresh token as Authorization: Bearer"),
        Statement("V3", "empty body with Content-Type JSON"),
        Statement("V4", "envelope status, message, data"),
        Statement("V5", "message TokenRefreshedSuccessfully"),
        Statement("V6", "data: accessToken, refreshToken, accessTokenExpiresAt, refreshTokenExpiresAt"),
        Statement("V7", "date-times 2026-01-06T14:18:40 (no zone)"),
        Statement("V8", "access JWT HS256, 30 minutes"),
        Statement("V9", "refresh token 7 days, reset at each use"),
        Statement("V10", "refresh token shaped like a GUID (64 hex digits instead)"),
        Statement("V11", "one-time use: the old token fails (401), the new one goes on"),
        Statement("V12", "an older token just fails"),
    ]

    private static let voltyksRefusals = [
        Statement("V13", "error envelope {status: false, message, data: null, errors: null}"),
        Statement("V14", "RefreshTokenMismatch"),
        Statement("V15", "Refresh token not found"),
        Statement("V16", "Invalid refresh token format"),
        Statement("V17", "login by e-mail and password → status, data.token, data.refreshToken"),
    ]

    private static let voltyksClients = [
        Statement("V18", "iOS TokenResponse/TokenData decode our answers"),
        Statement("V19", "iOS KeychainHelper save/get/delete/clearAll (over a stand-in)"),
        Statement("V20", "iOS AuthService.refreshTokens: saves four values, clears on status false"),
        Statement("V21", "AuthError cases and texts"),
        Statement("V22", "iOS APIClient: 401 → refresh → exactly one retry"),
        Statement("V23", "iOS usage: login saves, sessionExpired navigates to login"),
        Statement("V24", "Android models (Gson, non-null Boolean)", .shownInLongForm),
        Statement("V25", "Gradle dependencies", .suite("../deploy/clients")),
        Statement("V26", "SecurePrefs on EncryptedSharedPreferences (over a stand-in)", .shownInLongForm),
        Statement("V27", "AuthRepository.refreshTokens", .shownInLongForm),
        Statement(
            "V28", "TokenAuthenticator: Authorization-Retry, one retry, clearAll, onSessionExpired", .shownInLongForm),
        Statement("V29", "OkHttp interceptor adds bearer and Content-Type", .shownInLongForm),
        Statement("V30", "Android login and getChargers usage (ViewModel)", .shownInLongForm),
    ]

    private static let voltyksAdvice = [
        Statement("V31", "test: save both tokens at login"),
        Statement("V32", "test: refresh saves new tokens; NEW works; OLD RefreshTokenMismatch"),
        Statement("V33", "test: automatic refresh at expiry; login at refresh expiry", .shownInLongForm),
        Statement(
            "V34", "secure storage, clear tokens on logout", .suite("Clients/scenarios/ends.json")),
        Statement("V35", "never log tokens in production"),
        Statement("V36", "on 401 refresh, then log out if that fails"),
        Statement("V37", "HTTPS for all calls", .suite("IntegrationTests/TLS/TLSStackTests.swift")),
        Statement("V38", "before/after table of data", .nobody("nothing to build")),
        Statement("V39", "an outage must not sign the phone out"),
        Statement("V40", "/api/chargers is the app's own API", .nobody("policy `routes`, `/api/**`")),
        Statement("V41", "status of the three refusals: printed for a used token alone", .nobody("401 for all three")),
    ]
}

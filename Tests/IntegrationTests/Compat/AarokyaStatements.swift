extension Document {
    /// The requirements of aarokya's document, row by row.
    static let aarokya = Document(
        name: "aarokya", statements: aarokyaSignIn + aarokyaRefusals + aarokyaStorage + aarokyaApps)

    private static let web = Statement.Keeper.suite("IntegrationTests/Cookies/PageOverTLSTests.swift")

    private static let aarokyaSignIn = [
        Statement("A1", "phone OTP → JWT, no passwords, 6 digits"),
        Statement("A2", "code verified within 10 minutes", .shownInLongForm),
        Statement("A3", "POST /auth/otp/trigger {phone}"),
        Statement("A4", "10-digit national number (India)"),
        Statement("A5", "in UAT always 123456, no SMS"),
        Statement("A6", "outside UAT a real SMS, same system"),
        Statement("A7", "POST /auth/otp/verify {phone, otp}"),
        Statement("A8", "answer access_token, refresh_token, is_new_user"),
        Statement("A9", "is_new_user: true shows onboarding", .suite("Clients/scenarios/signin.json")),
        Statement("A10", "GET /user/profile with bearer"),
        Statement("A11", "access token 24 h"),
        Statement("A12", "HS256"),
        Statement("A13", "claims user_id, exp"),
        Statement("A14", "POST /auth/token/refresh {refresh_token} → new pair"),
        Statement("A15", "access_token_expires_at in Unix seconds"),
        Statement("A16", "refresh token 30 days"),
        Statement("A17", "opaque 256-bit hex"),
        Statement("A18", "SHA-256 hashed in the database"),
        Statement("A19", "single use: submitted token revoked immediately"),
    ]

    private static let aarokyaRefusals = [
        Statement("A20", "401 INVALID_TOKEN when used twice, revoked or expired"),
        Statement("A21", "after double use the user must log in with a new OTP"),
        Statement("A22", "POST /auth/logout"),
        Statement("A23", "refresh token never needed elsewhere than at refresh"),
        Statement("A24", "401 INVALID_OTP: wrong or used"),
        Statement("A25", "401 OTP_EXPIRED: older than 10 minutes", .shownInLongForm),
        Statement("A26", "401 INVALID_TOKEN: access token expired, missing part, malformed, on every protected route"),
        Statement("A27", "401 MISSING_TOKEN"),
        Statement("A28", "429 TOO_MANY_OTP_ATTEMPTS: 5 wrong on one session"),
        Statement("A29", "429 RATE_LIMIT_EXCEEDED: trigger limit"),
        Statement("A30", "a new OTP session may be started after 5 wrong codes"),
    ]

    private static let aarokyaStorage = [
        Statement("A31", "iOS saveToKeychain/loadFromKeychain, WhenUnlockedThisDeviceOnly (over a stand-in)"),
        Statement(
            "A32", "access token in memory; persistence only in SecureEnclave/TEE or encrypted",
            .suite("LatchkeyAuthTests/KeychainStoreTests.swift")),
        Statement("A33", "Android EncryptedSharedPreferences (API 23+)", .suite("Clients/kotlin/StoreChecks.kt")),
        Statement("A34", "Android API < 23: KeyStore directly", .client("the library needs API level 23")),
        Statement(
            "A35", "React Native: react-native-keychain, service in.aarokya.app",
            .suite("Clients/typescript/native.test.ts")),
        Statement("A36", "web: refresh token in httpOnly, Secure, SameSite=Strict cookie", web),
        Statement("A37", "web: never localStorage/sessionStorage", .suite("Clients/typescript/web.test.ts")),
        Statement("A38", "web: memory-only setAccessToken/getAccessToken"),
        Statement("A39", "web: after a page reload the cookie brings the session back", web),
    ]

    private static let aarokyaApps = [
        Statement("A40", "proactive refresh 5 minutes before expiry (getValidAccessToken)"),
        Statement("A41", "concurrent refreshes deduplicated (refreshPromise, mutex)"),
        Statement("A42", "refresh failure clears all tokens, navigateToLogin"),
        Statement("A43", "replace BOTH tokens atomically, save to secure storage before use"),
        Statement("A44", "apiCall wrapper: bearer + JSON"),
        Statement("A45", "HTTPS always"),
        Statement("A46", "never log tokens"),
        Statement("A47", "no tokens in URLs or queries"),
        Statement(
            "A48", "app calls logout and clears memory and secure storage", .suite("Clients/scenarios/ends.json")),
        Statement(
            "A49", "after reinstall old tokens are invalid: clear Keychain on first launch",
            .suite("LatchkeyAuthTests/KeychainStoreTests.swift")),
        Statement("A50", "curl lines as printed"),
        Statement("A51", "body of an error: codes are printed, no body", .nobody("`error` and `message`")),
        Statement("A52", "never AsyncStorage or plain files", .suite("Clients/typescript/native.test.ts")),
        Statement(
            "A53", "bearer on each protected request, also of the app's own API",
            .nobody("policy `routes`; refusals in aarokya's form")),
    ]
}

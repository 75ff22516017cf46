extension Document {
    /// The requirements of HowRU's document, row by row.
    static let howru = Document(name: "howru", statements: howruSignIn + howruTokens + howruApps + howruBeyond)

    private static let anomalies = "anomalies and reviews"

    private static let howruSignIn = [
        Statement("H1", "phone + SMS OTP as primary method"),
        Statement("H2", "Apple Sign-In as secondary method"),
        Statement("H3", "magic-link e-mail as fallback", .suite("IntegrationTests/MailSignInTests.swift")),
        Statement("H4", "mail through Resend", .suite("DeliveryTests/ResendSenderTests.swift")),
        Statement("H5", "POST /auth/otp/request with phoneNumber, countryCode"),
        Statement("H6", "200 {success, status: pending, message}"),
        Statement("H7", "429 {error: rate_limited, retryAfter}"),
        Statement("H8", "default country US, formatted input"),
        Statement("H9", "text \"Your HowRU code is 472918\""),
        Statement("H10", "Twilio sends the SMS", .suite("IntegrationTests/TwilioTests.swift")),
        Statement("H11", "POST /auth/otp/verify with phoneNumber, countryCode, code, optional name"),
        Statement("H12", "answer success, isNewUser"),
        Statement("H13", "answer user {id usr_…, phoneNumber, name, isChecker}"),
        Statement("H14", "answer tokens {accessToken, refreshToken, expiresIn: 3600}"),
        Statement("H15", "401 {success: false, error: Invalid or expired verification code}"),
        Statement("H16", "POST /auth/refresh {refreshToken} → three members, rotated"),
        Statement("H17", "refresh token with prefix rt_"),
        Statement("H18", "POST /auth/logout {refreshToken} → {success: true}"),
        Statement("H19", "DELETE /users/me, bearer → 200 with the printed message"),
        Statement("H20", "deletion logs out all sessions"),
        Statement("H21", "the scheduled deletion really removes the data", .shownInLongForm),
    ]

    private static let howruTokens = [
        Statement("H22", "claims sub, iat, exp, iss howru.app, aud howru-api, phone, role"),
        Statement("H23", "access token 1 hour"),
        Statement("H24", "RS256"),
        Statement("H25", "refresh token 30 days"),
        Statement("H26", "new refresh token at each refresh"),
        Statement("H27", "server-side blacklist on revocation, in Redis"),
        Statement("H28", "3 requests per phone and hour"),
        Statement("H29", "5 verify attempts per phone and hour"),
        Statement("H30", "10 refreshes per user and minute"),
        Statement("H31", "5 failures → 1 h lockout"),
        Statement("H32", "10 failures in 24 h → 24 h lockout", .shownInLongForm),
        Statement("H33", "suspicious activity → manual review", .later(anomalies)),
        Statement("H34", "6-digit numeric code"),
        Statement("H35", "5-minute expiry", .shownInLongForm),
        Statement("H36", "one-time use"),
        Statement("H37", "constant-time comparison", .suite("CryptoPrimitivesTests/DigestTests.swift")),
        Statement("H38", "revoke all tokens on password change", .suite("IntegrationTests/PasswordSignInTests.swift")),
        Statement("H39", "device fingerprinting (optional)", .later(anomalies)),
        Statement("H40", "anomaly detection: new device", .later(anomalies)),
        Statement("H41", "anomaly detection: new location", .later(anomalies)),
        Statement("H42", "TLS 1.3 required"),
        Statement("H43", "certificate pinning (optional)"),
        Statement("H44", "no sensitive data in URLs"),
    ]

    private static let howruApps = [
        Statement("H45", "iOS AuthService: requestOTP, verifyOTP, refreshTokenIfNeeded, logout (printed Swift)"),
        Statement("H46", "currentUser, isAuthenticated, @Observable state"),
        Statement("H47", "KeychainService: AfterFirstUnlockThisDeviceOnly, keys com.howru.* (over a stand-in)"),
        Statement(
            "H48", "access token in memory or Keychain, refresh token in Keychain",
            .suite("Clients/scenarios/renewal.json")),
        Statement("H49", "isNewUser → onboarding, else home; screens", .suite("Clients/scenarios/signin.json")),
        Statement("H50", "resend"),
        Statement(
            "H51", "auto-fill of the code: domain association", .client("its domain serves the association file")),
        Statement(
            "H52", "auto-fill in the app (textContentType = .oneTimeCode)",
            .suite("LatchkeyAuthTests/SignInHelperTests.swift")),
        Statement("H53", "token refresh interceptor in the iOS app", .suite("Clients/scenarios/calls.json")),
        Statement(
            "H54", "handle session expiry gracefully (iOS)", .suite("Clients/scenarios/ends.json")),
        Statement("H55", "biometric unlock (optional)", .suite("LatchkeyAuthTests/LockGateTests.swift")),
    ]

    private static let howruBeyond = [
        Statement("H56", "Twilio Verify create {to, channel}", .suite("DeliveryTests/TwilioVerifySenderTests.swift")),
        Statement("H57", "channel sms or call, voice as fallback", .suite("OTPTests/TryTests.swift")),
        Statement("H58", "VerificationCheck, approved", .suite("IntegrationTests/TwilioTests.swift")),
        Statement(
            "H59", "TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_VERIFY_SID (a secret file)",
            .suite("OTPTests/SenderSettingsTests.swift")),
        Statement("H60", "Verify prices per channel", .nobody("nothing to build")),
        Statement("H61", "POST /auth/apple {identityToken, fullName, email}"),
        Statement("H62", "signInWithApple() client code (printed Swift, over a stand-in)"),
        Statement("H63", "Apple Sign-In is required by the App Store", .nobody("nothing to build")),
        Statement("H64", "rate limiting middleware"),
        Statement("H65", "audit logging"),
        Statement("H66", "unit tests for auth logic", .suite("TokenTests/RotationRuleTests.swift")),
        Statement("H67", "integration tests with Twilio", .suite("IntegrationTests/TwilioTests.swift")),
        Statement("H68", "rate-limit tests", .suite("IntegrationTests/CodeLimitTests.swift")),
        Statement("H69", "token expiry tests", .suite("GatewayTests/EdgeVerdictTests.swift")),
        Statement("H70", "Keychain persistence tests", .suite("LatchkeyAuthTests/KeychainStoreTests.swift")),
        Statement(
            "H71", "create Twilio account and Verify service: operator's instruction",
            .client("its operator, by deploy/docs/run/delivery.md")),
        Statement("H72", "test end-to-end flow"),
        Statement("H73", "cost estimate per 1,000 users", .nobody("nothing to build")),
        Statement("H74", "minimal friction for elderly users in client screens", .client("its screens")),
        Statement(
            "H75", "refusals of /auth/refresh, DELETE /users/me and access tokens: not printed",
            .nobody("401 with `success: false`, `code` and `error`")),
        Statement(
            "H76", "429 of verify and refresh: not printed", .nobody("the same body as for the request of a code")),
        Statement(
            "H77", "a sign-in within the grace period of a deletion: not printed",
            .nobody("restores the account (`deletion.onSignIn`)")),
    ]
}

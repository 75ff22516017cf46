extension Document {
    /// The requirements of uta's document, row by row.
    static let uta = Document(name: "uta", statements: utaClient + utaEndpoints + utaApp + utaSecurity + utaBeyond)

    private static let utaClient = [
        Statement("T1", "domain structure api/types/hooks/store/tokenService/events/constants/index"),
        Statement("T2", "TokenService: five functions"),
        Statement(
            "T3", "SecureStorage iOS: Keychain internet credentials",
            .suite("Clients/typescript/native.test.ts")),
        Statement(
            "T4", "SecureStorage Android: encrypted shared preferences",
            .suite("Clients/typescript/native.test.ts")),
        Statement("T5", "BaseApiClient (try/catch, handleError, verbs)"),
        Statement("T6", "PublicApiClient"),
        Statement("T7", "AuthenticatedApiClient: bearer injected, refresh handled"),
        Statement("T8", "automatic refresh on 401, waiting requests, session ended on failure"),
        Statement("T9", "singletons publicApi/authenticatedApi, API_BASE_URL"),
        Statement("T10", "axios contract ({data}, AxiosError, DELETE with data)"),
    ]

    private static let utaEndpoints = [
        Statement("T11", "POST /auth/login → user, tokens.access/refresh"),
        Statement("T12", "POST /auth/register"),
        Statement("T13", "POST /auth/forgot-password {email}"),
        Statement("T14", "POST /auth/reset-password {token, password}"),
        Statement("T15", "POST /auth/verify-email {token}"),
        Statement("T16", "GET /auth/me"),
        Statement("T17", "PATCH /auth/profile Partial<UserProfile>"),
        Statement("T18", "POST /auth/change-password {oldPassword, newPassword}"),
        Statement("T19", "POST /auth/logout with bearer, no body"),
        Statement("T20", "DELETE /auth/account {password}"),
        Statement("T21", "UserProfile id, email, name"),
        Statement("T22", "clear separation of public and protected endpoints"),
    ]

    private static let utaApp = [
        Statement("T23", "useLogin: tokens, store, cache, event"),
        Statement("T24", "useRegister, useChangePassword"),
        Statement("T25", "useLogout: clear tokens, store, cache, event"),
        Statement("T26", "useCurrentUser (5 min), useAuthStatus (Infinity)"),
        Statement("T27", "useUpdateProfile: cache, store, event"),
        Statement("T28", "authStore (zustand, persisted user and flag only)"),
        Statement("T29", "five auth events and helpers"),
        Statement("T30", "sessionExpired/tokenRefreshed really emitted"),
        Statement("T31", "login, token refresh and logout flows"),
        Statement("T32", "LoginScreen"),
        Statement("T33", "App: splash, stacks, reset to Login on events"),
        Statement("T34", "ProfileScreen"),
    ]

    private static let utaSecurity = [
        Statement(
            "T35", "secure platform storage, no plain text, clear on logout, expiration checks",
            .suite("Clients/scenarios/store.json")),
        Statement("T36", "HTTPS", .suite("IntegrationTests/TLS/TLSStackTests.swift")),
        Statement("T37", "certificate pinning for production", .suite("IntegrationTests/TLS/TLSStackTests.swift")),
        Statement("T38", "validate SSL certificates", .suite("Clients/machine/renewal.json")),
        Statement("T39", "access tokens 15–30 minutes"),
        Statement("T40", "refresh tokens 7–30 days", .shownInLongForm),
        Statement("T41", "idle timeout", .shownInLongForm),
        Statement(
            "T42", "clear sensitive data when the app goes to the background", .suite("Clients/scenarios/store.json")),
        Statement("T43", "re-authenticate for sensitive operations"),
        Statement("T44", "log security events"),
        Statement("T45", "sanitizeError texts"),
        Statement("T46", "Jest unit tests of tokenService", .nobody("not run: they test their own mocks")),
        Statement(
            "T47", "React Native integration test of LoginScreen",
            .nobody("not run: it tests its own mocks, and authApi.login does not exist")),
        Statement(
            "T48", "troubleshooting: refresh loop, not persisting, 401 after login",
            .suite("Clients/scenarios/calls.json")),
        Statement("T49", "clock skew", .suite("AccessTokensTests/ClaimTests.swift")),
        Statement("T50", "migration guide, four phases", .suite("Clients/scenarios/takeover.json")),
    ]

    private static let utaBeyond = [
        Statement("T51", "session ended on security breach"),
        Statement("T52", "various network conditions; refresh reliable"),
        Statement("T53", "deep linking", .suite("GatewayTests/Dialects/AccountPageTests.swift")),
        Statement("T54", "external app authentication flows", .suite("Clients/scenarios/browser.json")),
        Statement("T55", "tokens validated locally", .suite("GatewayTests/LocalVerificationTests.swift")),
        Statement("T56", "auth status cached in the client"),
        Statement("T57", "tokens never reachable by WebViews or JS bridges", .client("it gives a WebView no token")),
        Statement("T58", "exponential backoff of failed refreshes", .suite("Clients/scenarios/failures.json")),
        Statement(
            "T59", "biometric check for high-security operations (optional)",
            .suite("LatchkeyAuthTests/LockGateTests.swift")),
        Statement(
            "T60", "several methods: e-mail/password, social, SSO", .suite("IntegrationTests/IdentityTokenTests.swift")),
        Statement(
            "T61", "further providers without changing the core", .suite("IntegrationTests/OpenIDConnectTests.swift")),
        Statement(
            "T62", "several user profiles signed in at once", .suite("LatchkeyAuthTests/StoreContractTests.swift")),
        Statement(
            "T63", "defence in depth, isolated token service, testable",
            .suite("IntegrationTests/InternalTrustTests.swift")),
        Statement("T64", "scalability for several API services", .nobody("policy `upstreams` and `routes`")),
        Statement("T65", "errors of authentication can be told apart", .nobody("a stable `code` in each refusal")),
        Statement("T66", "headers, types, no circular imports", .client("its build")),
    ]
}

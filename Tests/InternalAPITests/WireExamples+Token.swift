import AccessTokens
import AuthAPI
import InternalAPI

extension WireExamples {
    /// Requests and responses of `TokenOperations`.
    static func token() throws -> [WireText] {
        [
            try WireText(
                "Token.issue", TokenOperations.issue,
                requests: [
                    IssueRequest(grant: "k1.e30.AA", dialect: "native"),
                    IssueRequest(
                        grant: "k1.e30.AA", dialect: "native", idempotencyKey: "key-1", deviceName: "Betty's phone",
                        userAgent: "App/1", address: "192.0.2.1"),
                    IssueRequest(grant: "k1.e30.AA", dialect: "native", isPage: true),
                    IssueRequest(grant: "k1.e30.AA", dialect: "native", isPage: true, replacedPage: "AQ"),
                ],
                answers: [
                    tokens, pageTokens,
                ]),
            try WireText(
                "Token.refresh", TokenOperations.refresh,
                requests: [
                    RefreshRequest(refreshToken: "lk_1"),
                    RefreshRequest(refreshToken: "lk_1", idempotencyKey: "key-1", callID: "00ff"),
                    RefreshRequest(refreshToken: "lk_1", idempotencyKey: "key-1", pageSecret: "AQ"),
                ],
                answers: [
                    RefreshAnswer(.rotated, tokens: tokens),
                    RefreshAnswer(.repeated, tokens: tokens),
                    RefreshAnswer(.rateLimited, retryAfterSeconds: 7),
                    RefreshAnswer(.reused, reason: .superseded),
                    RefreshAnswer(.revoked, reason: .signedOut),
                    RefreshAnswer(.expired, reason: .expired),
                    RefreshAnswer(.unknown),
                    RefreshAnswer(.malformed),
                    RefreshAnswer(.inactive),
                ]),
            try WireText(
                "Token.logout", TokenOperations.logout,
                requests: [
                    LogoutRequest(refreshToken: "lk_1", accessToken: nil),
                    LogoutRequest(refreshToken: nil, accessToken: "a.b.c", scope: .all),
                    LogoutRequest(refreshToken: "lk_1", accessToken: "a.b.c", scope: .others),
                    LogoutRequest(refreshToken: "lk_1", accessToken: nil, scope: .session),
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "Token.revokeUser", TokenOperations.revokeUser,
                requests: RevocationReason.allCases.map { RevokeUserRequest(userID: "usr_1", epoch: 2, reason: $0) } + [
                    RevokeUserRequest(userID: "usr_1", epoch: 2, reason: .passwordChange, sparedSession: "s1"),
                    RevokeUserRequest(userID: "usr_1", epoch: 2, reason: .provider, method: "apple"),
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "Token.changeRights", TokenOperations.changeRights,
                requests: [
                    ChangeRightsRequest(userID: "usr_1", role: "admin", version: 3),
                    ChangeRightsRequest(userID: "usr_1", role: "user", version: 4, phone: "+15551234567"),
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "Token.removeUser", TokenOperations.removeUser,
                requests: [
                    RemoveUserRequest(userID: "usr_1", epoch: 4)
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "Token.keySet", TokenOperations.keySet,
                answers: [
                    JSONWebKeySet(keys: [
                        JSONWebKey(kty: "RSA", kid: "k1", alg: "RS256", use: "sig", n: "AQ", e: "AQAB"),
                        JSONWebKey(kty: "OKP", kid: nil, crv: "Ed25519", x: "AQ"),
                    ])
                ]),
            try WireText(
                "Token.ownSessions", TokenOperations.ownSessions,
                answers: [
                    sessions
                ]),
            try WireText(
                "Token.endOwnSession", TokenOperations.endOwnSession,
                requests: [
                    EndOwnSessionRequest(sessionID: "ses_1")
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "Token.endOtherSessions", TokenOperations.endOtherSessions,
                answers: [
                    Done()
                ]),
            try WireText(
                "Token.userSessions", TokenOperations.userSessions,
                requests: [
                    UserSessionsRequest(userID: "usr_1")
                ],
                answers: [
                    sessions
                ]),
            try WireText(
                "Token.endSessions", TokenOperations.endSessions,
                requests: [
                    EndSessionsRequest(userID: "usr_1"),
                    EndSessionsRequest(sessionID: "ses_1"),
                ],
                answers: [
                    EndSessionsAnswer(endedCount: 2)
                ]),
            try WireText(
                "Token.audit", TokenOperations.audit,
                requests: [
                    AuditRequest(limit: 50),
                    AuditRequest(userID: "usr_1", event: "session.opened", since: 1_700_000_000, limit: 1, before: 7),
                ],
                answers: [
                    AuditPage(
                        records: [
                            AuditPage.Record(
                                number: 7, at: 1_700_000_000, event: "session.opened", subject: "usr_1",
                                sessionID: "ses_1",
                                detail: "phone"),
                            AuditPage.Record(number: 6, at: 1_700_000_000, event: "key.made"),
                        ], next: 6),
                    AuditPage(records: [], next: nil),
                ]),
            try WireText(
                "Token.sessionCounts", TokenOperations.sessionCounts,
                requests: [
                    SessionCountsRequest(userIDs: ["usr_1", "usr_2"])
                ],
                answers: [
                    SessionCounts(counts: [0, 3])
                ]),
            try WireText(
                "Token.introspect", TokenOperations.introspect,
                requests: [
                    client
                ],
                answers: [
                    ClientTokenAnswer(.done, introspection: introspection),
                    ClientTokenAnswer(.done, introspection: IntrospectionReply(active: false)),
                    ClientTokenAnswer(.invalidClient),
                    ClientTokenAnswer(.rateLimited, retryAfterSeconds: 30),
                ]),
            try WireText(
                "Token.revokeByClient", TokenOperations.revokeByClient,
                requests: [
                    client
                ],
                answers: [
                    ClientTokenAnswer(.done),
                    ClientTokenAnswer(.invalidClient),
                    ClientTokenAnswer(.rateLimited, retryAfterSeconds: 30),
                ]),
        ]
    }

    private static let tokens = TokenSet(
        accessToken: "a.b.c", refreshToken: "lk_2", accessExpiresAt: 1_700_000_900, refreshExpiresAt: 1_700_086_400,
        expiresIn: 900, sessionID: "ses_1", userID: "usr_1")
    private static var pageTokens: TokenSet {
        var tokens = tokens
        tokens.pageSecret = "AQ"
        return tokens
    }
    private static let sessions = SessionList(sessions: [
        SessionSummary(
            id: "ses_1", deviceName: "Betty's phone", createdAt: 1, lastUsedAt: 2, address: "192.0.2.0/24",
            current: true),
        SessionSummary(id: "ses_2", deviceName: nil, createdAt: 1, lastUsedAt: 2, address: nil, current: false),
        SessionSummary(
            id: "ses_3", deviceName: nil, createdAt: 1, lastUsedAt: 2, address: nil, current: false, web: true),
    ])
    private static let client = ClientTokenRequest(
        clientID: "api", clientSecret: "s3cret", token: "a.b.c", address: "192.0.2.1")
    private static var introspection: IntrospectionReply {
        var reply = IntrospectionReply(active: true)
        (reply.sub, reply.sid, reply.exp, reply.iat) = ("usr_1", "ses_1", 2, 1)
        (reply.iss, reply.aud, reply.jti, reply.role) = ("https://auth.example.org", "api", "j1", "user")
        reply.tokenType = "Bearer"
        return reply
    }
}

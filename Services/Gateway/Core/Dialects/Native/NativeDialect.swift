internal import EdgeHTTP

/// Latchkey's own API (design section 7), on in every policy: howru's shapes where its document defines one.
struct NativeDialect: Dialect {
    /// As the gateway's own code names it, e.g. for a session that begins here.
    static let ownName = "native"

    let name = Self.ownName
    let rows: [DialectRow] = [
        DialectRow(.post, "/auth/otp/request", .open, isCounted: false, answer: requestCode),
        DialectRow(.post, "/auth/otp/verify", .open, isCounted: false, answer: verifyCode),
        DialectRow(.post, "/auth/refresh", .open, answer: refresh),
        // Open, since it must work with a token that has expired or is revoked.
        DialectRow(.post, "/auth/logout", .open, answer: logOut),
        DialectRow(.get, "/users/me", .bearer, answer: readProfile),
        DialectRow(.patch, "/users/me", .bearer, answer: changeProfile),
        DialectRow(.delete, "/users/me", .bearer, answer: deleteAccount),
        DialectRow(.get, "/sessions", .bearer, answer: listSessions),
        DialectRow(.delete, "/sessions", .bearer, answer: endOtherSessions),
        DialectRow(.delete, "/sessions/*", .bearer, answer: endSession),
        DialectRow(.get, "/.well-known/jwks.json", .open, isCounted: false, answer: accessTokenKeys),
        DialectRow(.get, "/.well-known/latchkey-identity.json", .open, isCounted: false, answer: identityKeys),
    ]
}

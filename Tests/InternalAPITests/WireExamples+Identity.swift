import InternalAPI

extension WireExamples {
    /// Requests and responses of `IdentityOperations`.
    static func identity() throws -> [WireText] {
        [
            try WireText(
                "Identity.prove", IdentityOperations.prove,
                requests: [
                    IdentityTokenRequest(provider: "apple", token: "e30.e30.AA", nonce: "n1", callID: "c1"),
                    IdentityTokenRequest(provider: "google", token: "e30.e30.AA", nonce: nil, callID: "c1"),
                    IdentityTokenRequest(
                        provider: "apple", token: "e30.e30.AA", nonce: nil, callID: "c1", authorizationCode: "a1"),
                ],
                answers: [
                    IdentityTokenAnswer(.proved, proof: "k1.e30.AA"), IdentityTokenAnswer(.refused),
                    IdentityTokenAnswer(.off),
                ]),
            try WireText(
                "Identity.noteApple", IdentityOperations.noteApple,
                requests: [AppleNotification(payload: "e30.e30.AA")],
                answers: AppleNotificationAnswer.Result.allCases.map { AppleNotificationAnswer($0) }),
            try WireText(
                "Identity.provePhone", IdentityOperations.provePhone,
                requests: [
                    PhoneTokenRequest(token: "e30.e30.AA", nonce: nil, address: "192.0.2.1", callID: "c1"),
                    PhoneTokenRequest(
                        token: "e30.e30.AA", nonce: "n1", address: "2001:db8::1", signedInPhone: "+15551234567",
                        callID: "c1"),
                ],
                answers: [
                    PhoneTokenAnswer(.proved, proof: "k1.e30.AA"), PhoneTokenAnswer(.refused), PhoneTokenAnswer(.used),
                    PhoneTokenAnswer(.blockedCountry),
                    PhoneTokenAnswer(.tooManyAttempts, limit: .lockout, retryAfterSeconds: 600),
                    PhoneTokenAnswer(.off),
                ]),
            try WireText(
                "Identity.begin", IdentityOperations.begin,
                requests: [
                    WebSignInStart(
                        provider: "apple", challenge: "c", redirect: "com.example.app:/in", callbackURL: callback)
                ],
                answers: [WebSignInAnswer(.redirected, location: "https://p.example/?state=s"), WebSignInAnswer(.off)]),
            try WireText(
                "Identity.finish", IdentityOperations.finish,
                requests: [
                    WebSignInReturn(
                        provider: "apple", callbackURL: callback, state: "s", code: "c", identityToken: "e30.e30.AA",
                        person: "{}", address: "192.0.2.1", callID: "c1"),
                    WebSignInReturn(
                        provider: "google", callbackURL: callback, state: "s", error: "access_denied", issuer: "i",
                        address: "192.0.2.1", callID: "c1"),
                ],
                answers: [
                    WebSignInAnswer(.redirected, location: "com.example.app:/in?code=c"), WebSignInAnswer(.refused),
                ]),
            try WireText(
                "Identity.redeem", IdentityOperations.redeem,
                requests: [SignInCodeRequest(provider: "apple", code: "c", verifier: "v", callID: "c1")],
                answers: [IdentityTokenAnswer(.proved, proof: "k1.e30.AA", name: "Betty")]),
        ]
    }

    private static let callback = "https://a.example/auth/apple/callback"
}

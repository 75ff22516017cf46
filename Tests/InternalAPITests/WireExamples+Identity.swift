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
                        provider: "apple", token: "e30.e30.AA", nonce: nil, callID: "c1", authorizationCode: "a1",
                        redirectURI: "https://id.example.com/auth/apple/callback"),
                ],
                answers: [
                    IdentityTokenAnswer(.proved, proof: "k1.e30.AA"), IdentityTokenAnswer(.refused),
                    IdentityTokenAnswer(.off),
                ]),
            try WireText(
                "Identity.noteApple", IdentityOperations.noteApple,
                requests: [AppleNotification(payload: "e30.e30.AA")],
                answers: AppleNotificationAnswer.Result.allCases.map { AppleNotificationAnswer($0) }),
        ]
    }
}

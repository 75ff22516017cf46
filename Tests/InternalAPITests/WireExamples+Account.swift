import AuthAPI
import InternalAPI

extension WireExamples {
    /// Requests and responses of `AccountOperations`.
    static func account() throws -> [WireText] { try forClients() + forBearers() + forOperators() }

    private static let mail = AccountMailRequest(
        email: "ann@example.com", locales: ["de-AT", "en"], address: "203.0.113.7", callID: "c1")
    private static let mailByLink = AccountMailRequest(
        email: "ann@example.com", locales: ["de-AT", "en"], address: "203.0.113.7", callID: "c1", linkSuffices: true)
    private static let link = AccountLinkRequest(
        token: "AAECAw", password: "correct horse", address: "203.0.113.7", callID: "c1")

    private static func forClients() throws -> [WireText] {
        [
            try WireText(
                "Account.register", AccountOperations.register,
                requests: [
                    RegisterRequest(
                        email: "ann@example.com", password: "correct horse", name: "Ann", locales: ["en"],
                        address: "203.0.113.7", callID: "c1"),
                    RegisterRequest(
                        email: "ann@example.com", password: "correct horse", locales: ["en"], address: "203.0.113.7",
                        callID: "c1", linkSuffices: true),
                ],
                answers: [
                    AccountAnswer(.done), AccountAnswer(.invalidEmail), AccountAnswer(.invalidName),
                    AccountAnswer(.weakPassword), AccountAnswer(.registrationClosed), AccountAnswer(.off),
                    AccountAnswer(.rateLimited, limit: .sends, retryAfterSeconds: 30),
                ]),
            try WireText(
                "Account.confirm", AccountOperations.confirm,
                requests: [
                    link,
                    AccountLinkRequest(token: "AAECAw", password: nil, address: "203.0.113.7", callID: "c1"),
                ],
                answers: [AccountAnswer(.done), AccountAnswer(.invalidLink), AccountAnswer(.wrongPassword)]),
            try WireText(
                "Account.resendConfirmation", AccountOperations.resendConfirmation, requests: [mail, mailByLink],
                answers: [AccountAnswer(.done)]),
            try WireText(
                "Account.forgotPassword", AccountOperations.forgotPassword, requests: [mail, mailByLink],
                answers: [AccountAnswer(.done)]),
            try WireText(
                "Account.prove", AccountOperations.prove,
                requests: [
                    PasswordProofRequest(
                        email: "ann@example.com", password: "correct horse", address: "203.0.113.7", callID: "c1"),
                    PasswordProofRequest(
                        email: "ann@example.com", password: "correct horse", address: "203.0.113.7", callID: nil),
                ],
                answers: [
                    AccountAnswer(.proved, proof: "k1.e30.AA"),
                    AccountAnswer(
                        .proved, proof: "k1.e30.AA",
                        resolved: ResolveAnswer(
                            grant: "k1.e30.AA", isNewUser: false, restored: false,
                            user: UserDetails(
                                id: "usr_1", phoneNumber: nil, email: "ann@example.com", name: "Ann", role: "user",
                                createdAt: 1, attributes: UserAttributes()))),
                    AccountAnswer(.invalidCredentials), AccountAnswer(.accountInactive),
                ]),
            try WireText(
                "Account.resetPassword", AccountOperations.resetPassword, requests: [link],
                answers: [AccountAnswer(.done), AccountAnswer(.changePending)]),
            try WireText(
                "Account.readResetLink", AccountOperations.readResetLink,
                requests: [ResetLinkRequest(token: "AA")],
                answers: [ResetLinkAnswer(email: "a@example.com"), ResetLinkAnswer(email: nil)]),
            try WireText(
                "Account.welcome", AccountOperations.welcome,
                requests: [
                    WelcomeRequest(phone: "+15551234567"),
                    WelcomeRequest(phone: "5551234567", region: "US", dialect: "native"),
                ],
                answers: [WelcomeAnswer(isWelcome: false)]),
        ]
    }

    private static func forBearers() throws -> [WireText] {
        [
            try WireText(
                "Account.changePassword", AccountOperations.changePassword,
                requests: [
                    ChangePasswordRequest(
                        oldPassword: "correct horse", newPassword: "battery staple", address: "203.0.113.7",
                        callID: "c1")
                ],
                answers: [AccountAnswer(.done), AccountAnswer(.noPassword)]),
            try WireText(
                "Account.deleteByPassword", AccountOperations.deleteByPassword,
                requests: [DeleteByPasswordRequest(password: "correct horse", address: "203.0.113.7", callID: "c1")],
                answers: [AccountAnswer(.done)]),
        ]
    }

    private static func forOperators() throws -> [WireText] {
        [
            try WireText(
                "Account.createAdmin", AccountOperations.createAdmin,
                requests: [CreateAdminRequest(email: "ann@example.com", password: "correct horse")],
                answers: [CreatedUser(userID: "usr_1")]),
            try WireText(
                "Account.invite", AccountOperations.invite,
                requests: [InviteRequest(to: "ann@example.com"), InviteRequest(to: "+15551234567", role: "editor")],
                answers: [InviteAnswer(expiresAt: 1_800_000_000, isMailed: true)]),
        ]
    }
}

import InternalAPI

// The refusals that each operation may have, from its services' operations and the results of their answers.

extension InternalOperation {
    /// The client's refusals that those of the operation become.
    var refusals: [GatewayCore.Refusal] { Refusal.allCases.map(\.code.toClient) + [.invalidMember, .unavailable] }
}

extension RefusableAnswer {
    fileprivate static func refusals(_ answers: [Self]) -> [Refusal] { answers.compactMap(\.refusal) }
}

extension Refusal {
    static let requestCode =
        OTPOperations.request.refusals + [.malformedIdempotencyKey]
        + OTPRequestAnswer.refusals([
            .init(.rateLimited), .init(.invalidPhone), .init(.blockedCountry), .init(.optedOut),
            .init(.unsupportedChannel), .init(.providerError),
        ])
    static let requestMail =
        OTPOperations.requestMail.refusals + [.malformedIdempotencyKey]
        + OTPRequestAnswer.refusals([
            .init(.rateLimited), .init(.invalidEmail), .init(.providerError), .init(.undeliverable),
        ])
    static let signIn = signIn(refusing: .wrongCode)
    static let signInByCode =
        signIn
        + OTPVerifyAnswer.refusals([.init(.tooManyAttempts), .init(.invalidPhone), .init(.expired), .init(.wrongCode)])
    static let signInByMail =
        signIn
        + OTPVerifyAnswer.refusals([.init(.tooManyAttempts), .init(.invalidEmail), .init(.expired), .init(.wrongCode)])
    static let signInByIdentityToken =
        signIn(refusing: .identityTokenUsed)
        + IdentityTokenAnswer.refusals(IdentityTokenAnswer.Result.allCases.map { .init($0) })
    static let signInByPhoneToken =
        signIn(refusing: .identityTokenUsed)
        + PhoneTokenAnswer.refusals(PhoneTokenAnswer.Result.allCases.map { .init($0) })
    static let signInInBrowser =
        WebSignInAnswer.refusals(WebSignInAnswer.Result.allCases.map { .init($0) }) + [.invalidMember]
    static let ownFlow =
        IdentityOperations.beginOwn.refusals + WebSignInAnswer.refusals([.init(.off)])
    static let signInByPassword =
        signIn(refusing: .invalidCredentials) + accounts(.invalidCredentials, .accountInactive, .rateLimited)
    static let signInByPasskey = signIn(refusing: .passkeyRefused) + [.notFound]
    static let addPasskey =
        PasskeyOperations.addOwn.refusals
        + accounts(.passkeyInvalid, .passkeyExists, .tooManyPasskeys, .invalidName, .off)
    static let secondFactorChange =
        SecondFactorOperations.activate.refusals
        + SecondFactorAnswer.refusals(SecondFactorAnswer.Result.allCases.map { .init($0) })
    static let signInBySecondFactor =
        signIn(refusing: .secondFactorRefused)
        + ProveSecondFactorAnswer.refusals(ProveSecondFactorAnswer.Result.allCases.map { .init($0) })
    static let removePasskey = PasskeyOperations.removeOwn.refusals + accounts(.noPasskey, .changePending)
    static let restore = signIn(refusing: .invalidSignIn)
    static let refresh =
        TokenOperations.refresh.refusals + [.malformedIdempotencyKey, .rightsAsked, .noRefreshToken]
        + RefreshAnswer.refusals(RefreshResult.allCases.map { RefreshAnswer($0) })
    static let logOut = TokenOperations.logout.refusals + [.nothingToEnd]
    static let clientTokens: [Refusal] = [
        .invalidMember, .clientRefused, .tooMany(retryAfterSeconds: 60), .unavailable,
    ]
    static let webhook: [Refusal] = [.forgedWebhook, .notFound]

    /// Refusals of an operation on accounts with a password.
    static func accounts(_ results: AccountAnswer.Result...) -> [Refusal] {
        AccountAnswer.refusals(results.map { AccountAnswer($0) }) + [.malformedIdempotencyKey, .invalidMember]
    }

    static let reauthentication =
        UserOperations.reauthenticate.refusals + [.malformedIdempotencyKey]
        + ReauthenticateAnswer.refusals(ReauthenticateAnswer.Result.allCases.map { .init($0) })

    static let export =
        UserOperations.exportOwn.refusals + ExportAnswer.refusals([.init(retryAfterSeconds: 60)])

    /// Refusals of every change of identities.
    static let identityChange =
        IdentityOperations.removeOwn.refusals + accounts(.changedMeanwhile, .changePending)
    static let addIdentity = identityChange + accounts(.identityInUse)
    static let merge = identityChange + accounts(.mergeRefused, .mergeProofRequired, .mergeProofWrong, .rateLimited)
    static let administration =
        AdminOperations.search.refusals + AdminOperations.change.refusals + AdminOperations.openReviewAccess.refusals
    static let anyChangedElsewhere = changedElsewhere(member: "email", path: "/users/me/email/request")

    static let accountMail = accounts(.invalidEmail, .rateLimited, .off)
    static let deletion =
        AccountOperations.deleteByPassword.refusals
        + accounts(.wrongPassword, .rateLimited, .noPassword, .lastAdministrator, .off)

    /// Refusals of the sign-in that follows any proof.
    ///
    /// - Parameter used: the refusal of a proof that was used in the meantime.
    private static func signIn(refusing used: Refusal) -> [Refusal] {
        (UserOperations.resolve.refusals + TokenOperations.issue.refusals).filter { $0 != .wrongCode }
            + [used, .malformedIdempotencyKey]
    }
}

import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies

/// The identities that sign the bearer in.
extension NativeDialect {
    private static let phonePath: StaticString = "/users/me/phone"
    private static let emailPath: StaticString = "/users/me/email"

    var ownIdentityRows: [DialectRow] {
        [
            DialectRow(.get, "/users/me/identities", .bearer, answer: listIdentities)
                .documented(
                    .identities, "Lists what signs the user in, oldest first", .json(IdentityList.self),
                    refusals: IdentityOperations.listOwn.refusals),
            DialectRow(.delete, "/users/me/identities/*", .bearer, answer: removeIdentity)
                .documented(
                    .identities, "Removes an identity", .json(IdentityChangeReply.self),
                    refusals: Refusal.identityChange + Refusal.accounts(.noIdentity, .lastIdentity)),
            DialectRow(.post, "/users/me/merge", .bearer, answer: mergeAccounts)
                .documented(
                    .identities, "Merges the user's other account, which has an identity that was to be added",
                    takes: .json(MergeBody.self), .json(IdentityChangeReply.self), also: 202,
                    with: .json(MergePendingReply.self), refusals: Refusal.merge),
            DialectRow(.post, "/users/me/merge/request", .bearer, answer: requestMergeCode)
                .documented(
                    .identities, "Sends a code for it to the other account's phone number or email address",
                    takes: .json(MergeCodeBody.self), .json(OTPRequestReply.self),
                    refusals: IdentityOperations.requestMergeCode.refusals + Refusal.requestCode + Refusal.requestMail),
            DialectRow(.delete, "/users/me/merge/pending", .bearer, answer: endPendingMerge)
                .documented(
                    .identities, "Objects to a merge that waits, in either account", .json(SuccessReply.self),
                    refusals: IdentityOperations.endPendingMerge.refusals),
            DialectRow(.delete, "/users/me/phone/pending", .bearer, answer: endPendingPhone)
                .documented(
                    .identities, "Objects to a change of the phone number that support has begun",
                    .json(SuccessReply.self),
                    refusals: IdentityOperations.endPendingPhone.refusals),
        ] + (sendsCodes ? [phoneRequestRow] : []) + (sendsCodes || acceptsPhoneTokens ? [phoneRow] : [])
            + (mail == nil ? [] : emailRows) + (passwords == nil ? [] : ownPasswordRows)
            + identities.providers.compactMap(providerRow) + ownFlowRows
    }

    private var phoneRequestRow: DialectRow {
        DialectRow(.post, "/users/me/phone/request", .bearer, answer: requestPhone)
            .documented(
                .identities, "Sends a code to the phone number that the user wants to add",
                takes: .json(OTPRequestBody.self), .json(OTPRequestReply.self),
                refusals: IdentityOperations.permitOwn.refusals + Refusal.requestCode)
    }

    private var phoneRow: DialectRow {
        DialectRow(.post, Self.phonePath, .bearer, answer: changePhone)
            .documented(
                .identities, "Adds or replaces the phone number, by a code or a phone token",
                takes: .json(OwnPhoneBody.self), .json(IdentityChangeReply.self),
                refusals: Refusal.addIdentity + Refusal.signInByCode + Refusal.signInByPhoneToken)
    }

    private var emailRows: [DialectRow] {
        [
            DialectRow(.post, "/users/me/email/request", .bearer, answer: requestEmail)
                .documented(
                    .identities, "Mails a code to the email address that the user wants to add",
                    takes: .json(AccountMailBody.self), .json(SuccessReply.self),
                    refusals: IdentityOperations.permitOwn.refusals + Refusal.requestMail),
            DialectRow(.post, Self.emailPath, .bearer, answer: changeEmail)
                .documented(
                    .identities, "Adds or replaces the email address", takes: .json(OwnEmailBody.self),
                    .json(IdentityChangeReply.self), refusals: Refusal.addIdentity + Refusal.signInByMail),
        ]
    }

    private var ownPasswordRows: [DialectRow] {
        [
            DialectRow(.post, "/users/me/password", .bearer, answer: setPassword)
                .documented(
                    .identities, "Sets the password without the old one", takes: .json(PasswordBody.self),
                    .json(IdentityChangeReply.self),
                    refusals: Refusal.identityChange + Refusal.accounts(.weakPassword, .noAddress, .off)),
            DialectRow(.delete, "/users/me/password", .bearer, answer: removePassword)
                .documented(
                    .identities, "Removes the password", .json(IdentityChangeReply.self),
                    refusals: Refusal.identityChange + Refusal.accounts(.noPassword, .lastIdentity)),
        ]
    }

    private func providerRow(_ provider: String) -> DialectRow? {
        RoutePattern("/users/me/identities/\(Self.segments(of: provider))").map { pattern in
            DialectRow(.post, at: pattern, .bearer) { request, useCases throws(Refusal) in
                try await addIdentity(at: provider, request, useCases)
            }
            .documented(
                .identities,
                "Adds or replaces the identity, by a token of the provider's SDK, or by the code that the browser brought",
                takes: .json(OwnIdentityBody.self), .json(IdentityChangeReply.self),
                refusals: Refusal.addIdentity + Refusal.signInByIdentityToken + [.wrongCode])
        }
    }

    // MARK: - Answers

    @Sendable private func listIdentities(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        .json(try await useCases.identities.list(ClientCall(request)))
    }

    @Sendable private func removeIdentity(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        let id = String(request.head.pathText.split(separator: "/").last ?? "")
        return Self.changed(try await useCases.identities.remove(id, ClientCall(request)))
    }

    @Sendable private func mergeAccounts(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply
    {
        let body = try request.json.decode(MergeBody.self)
        switch try await useCases.identities.merge(body, ClientCall(request)) {
        case .done(let endsSession): return Self.changed(endsSession)
        case .waiting(let movesAt): return .json(MergePendingReply(movesAt: movesAt), status: 202)
        }
    }

    @Sendable private func requestMergeCode(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        let body = try request.json.decode(MergeCodeBody.self)
        try await useCases.identities.requestMergeCode(
            body, locales: AcceptedLanguages.tags(request.head, after: body.locale), ClientCall(request))
        return .json(OTPRequestReply(success: true, status: "pending", message: "Verification code sent"))
    }

    @Sendable private func endPendingMerge(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        try await useCases.identities.endPendingMerge(ClientCall(request))
        return .json(SuccessReply(message: "The accounts stay apart"))
    }

    @Sendable private func endPendingPhone(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        try await useCases.identities.endPendingPhone(ClientCall(request))
        return .json(SuccessReply(message: "The phone number stays"))
    }

    @Sendable private func requestPhone(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(OTPRequestBody.self)
        let order = RequestCode.Order(
            dialect: name, phone: body.phoneNumber, region: body.countryCode, channel: body.channel,
            locale: body.locale, appHash: body.appHash)
        try await useCases.identities.requestPhone(order, ClientCall(request))
        return .json(OTPRequestReply(success: true, status: "pending", message: "Verification code sent"))
    }

    @Sendable private func changePhone(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(OwnPhoneBody.self)
        let proof: ChangeIdentities.PhoneProof =
            switch (body.phoneNumber, body.code, body.token) {
            case (let phone?, let code?, nil) where sendsCodes: .code(code, phone: phone, region: body.countryCode)
            case (nil, nil, let token?) where acceptsPhoneTokens: .token(token, nonce: body.nonce)
            case (nil, _, _): throw .invalidBody(.missing(member: "phoneNumber"))
            case (_, nil, _): throw .invalidBody(.missing(member: "code"))
            default: throw .invalid(member: "token")
            }
        return Self.changed(try await useCases.identities.addPhone(proof, in: name, ClientCall(request)))
    }

    @Sendable private func requestEmail(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(AccountMailBody.self)
        try await useCases.identities.requestEmail(
            body.email, locales: AcceptedLanguages.tags(request.head, after: body.locale), ClientCall(request))
        return .json(SuccessReply(message: "An email with a code has been sent"))
    }

    @Sendable private func changeEmail(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(OwnEmailBody.self)
        return Self.changed(
            try await useCases.identities.addEmail(body.email, code: body.code, ClientCall(request)))
    }

    @Sendable private func setPassword(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(PasswordBody.self)
        return Self.changed(try await useCases.identities.setPassword(body.password, ClientCall(request)))
    }

    @Sendable private func removePassword(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        Self.changed(try await useCases.identities.removePassword(ClientCall(request)))
    }

    private func addIdentity(
        at provider: String, _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        let body = try request.json.decode(OwnIdentityBody.self)
        let (change, call) = (useCases.identities, ClientCall(request))
        if let code = body.code {
            guard body.identityToken == nil else { throw .invalid(member: "identityToken") }
            guard let verifier = body.verifier else { throw .invalidBody(.missing(member: "verifier")) }
            let proof = SignInInBrowser.Proof(provider: provider, code: code, verifier: verifier)
            return Self.changed(try await change.addCode(proof, call))
        }
        guard let token = body.identityToken else { throw .invalidBody(.missing(member: "identityToken")) }
        let proof = SignInByIdentityToken.Proof(
            provider: provider, token: token, nonce: body.nonce, authorizationCode: body.authorizationCode)
        return Self.changed(try await change.addToken(proof, call))
    }

    private static func changed(_ endsSession: Bool) -> Reply { .json(IdentityChangeReply(signedOut: endsSession)) }

    /// Refuses members of a profile's change that have endpoints of their own.
    static func requireNoIdentity(in body: JSONBody) throws(Refusal) {
        let names = body.names
        for (member, path) in [("phoneNumber", phonePath), ("email", emailPath)] where names.contains(member) {
            throw .changedElsewhere(member: member, path: "\(path)/request")
        }
    }
}

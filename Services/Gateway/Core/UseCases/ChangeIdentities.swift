import AuthAPI
import InternalAPI

/// Shows and changes the identities of the signed-in user. Each change needs a recent proof that the user is there, and the codes serve
/// this purpose and this user alone.
struct ChangeIdentities: Sendable {
    /// The proof that the user has a phone number.
    enum PhoneProof: Sendable {
        case code(String, phone: String, region: String?)
        case token(String, nonce: String?)
    }

    /// The outcome of a merge.
    enum Merged: Sendable {
        /// - endsSession: whether the session of the call has ended.
        case done(endsSession: Bool)
        /// The accounts are merged at a Unix time in seconds, unless a user objects.
        case waiting(movesAt: Int64)
    }

    /// The value of `keepPhone` in a merge.
    private static let otherPhone = "other"

    let user: ServiceClient
    let requestCode: RequestCode
    let requestMail: RequestMail
    let signedInUser: SignedInUser

    func list(_ call: ClientCall) async throws(Refusal) -> IdentityList {
        let own = try await user.answer(IdentityOperations.listOwn, NoBody(), for: call)
        let identities = own.identities.map {
            IdentitySummary(
                id: $0.id, kind: $0.kind.rawValue, provider: $0.provider, value: $0.value, addedAt: $0.addedAt,
                lastUsedAt: $0.lastUsedAt)
        }
        let pending = own.pendingPhone.map { PendingPhoneSummary(movesAt: $0.movesAt, lastDigits: $0.lastDigits) }
        let merge = own.pendingMerge.map { PendingMergeSummary(movesAt: $0.movesAt, intoAnother: $0.intoAnother) }
        return IdentityList(
            identities: identities, hasPassword: own.hasPassword, pendingPhone: pending, pendingMerge: merge)
    }

    /// Ends a change of the phone number that support has begun.
    func endPendingPhone(_ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(IdentityOperations.endPendingPhone, NoBody(), for: call)
    }

    /// Ends a merge of the user's account that waits.
    func endPendingMerge(_ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(IdentityOperations.endPendingMerge, NoBody(), for: call)
    }

    /// Sends a code to the phone number that the user wants to add.
    func requestPhone(_ order: RequestCode.Order, _ call: ClientCall) async throws(Refusal) {
        try await permit(call)
        var order = order
        (order.purpose, order.userID) = (.identity, try userID(call))
        try await requestCode(order, call)
    }

    /// Mails a code to the email address that the user wants to add.
    ///
    /// - Parameter dialect: the dialect in which only the code is valid; `nil` means native.
    func requestEmail(
        _ email: String, in dialect: String? = nil, locales: [String], _ call: ClientCall
    ) async throws(Refusal) {
        try await permit(call)
        try await requestMail(
            RequestMail.Order(
                email: email, challenge: nil, locales: locales, purpose: .identity, userID: try userID(call),
                dialect: dialect), call)
    }

    /// Adds or replaces the phone number.
    ///
    /// - Returns: whether the session of the call has ended.
    func addPhone(_ proof: PhoneProof, in dialect: String, _ call: ClientCall) async throws(Refusal) -> Bool {
        let userID = try userID(call)
        switch proof {
        case .code(let code, let phone, let region):
            let verify = OTPVerify(
                phone: phone, region: region, code: code, purpose: .identity, userID: userID, dialect: dialect,
                address: call.address, signedInPhone: signedInUser(call.credential)?.phone,
                callID: try call.id(OTPOperations.verify.path + " identity", user: userID))
            let answer = try await user.settle(IdentityOperations.verifyOwn, verify, for: call)
            return try await add(answer.attestation, refusing: .wrongCode, call)
        case .token(let token, let nonce):
            try await permit(call)
            let request = PhoneTokenRequest(
                token: token, nonce: nonce, address: call.address,
                signedInPhone: signedInUser(call.credential)?.phone,
                callID: try call.id(IdentityOperations.provePhone.path + " identity", user: userID))
            let answer = try await user.settle(IdentityOperations.provePhone, request, for: call)
            return try await add(answer.proof, refusing: .identityTokenUsed, call)
        }
    }

    /// Adds or replaces the email address.
    ///
    /// - Returns: whether the session of the call has ended.
    func addEmail(
        _ email: String, code: String, in dialect: String? = nil, _ call: ClientCall
    ) async throws(Refusal) -> Bool {
        let userID = try userID(call)
        let verify = MailVerify(
            email: email, code: code, purpose: .identity, userID: userID, dialect: dialect, address: call.address,
            callID: try call.id(OTPOperations.verifyMail.path + " identity", user: userID))
        let answer = try await user.settle(IdentityOperations.verifyOwnMail, verify, for: call)
        return try await add(answer.attestation, refusing: .wrongCode, call)
    }

    /// Adds or replaces the identity at a provider.
    ///
    /// - Returns: whether the session of the call has ended.
    func addToken(_ proof: SignInByIdentityToken.Proof, _ call: ClientCall) async throws(Refusal) -> Bool {
        let request = IdentityTokenRequest(
            provider: proof.provider, token: proof.token, nonce: proof.nonce,
            callID: try call.id(
                IdentityOperations.prove.path + " \(proof.provider) identity", user: try userID(call)),
            authorizationCode: proof.authorizationCode)
        let answer = try await user.settle(IdentityOperations.prove, request, for: call)
        return try await add(answer.proof, refusing: .identityTokenUsed, call)
    }

    /// Begins a flow in a browser for the identity at a provider, and returns the URL of the provider's page.
    func begin(_ start: WebSignInStart, _ call: ClientCall) async throws(Refusal) -> String {
        try await permit(call)
        let own = OwnWebSignInStart(start, for: .identity)
        return try await user.settle(IdentityOperations.beginOwn, own, for: call).location.orUnavailable()
    }

    /// Adds or replaces the identity at a provider, by the code that its flow brought.
    ///
    /// - Returns: whether the session of the call has ended.
    func addCode(_ proof: SignInInBrowser.Proof, _ call: ClientCall) async throws(Refusal) -> Bool {
        let operation = IdentityOperations.redeemOwn
        let request = SignInCodeRequest(
            provider: proof.provider, code: proof.code, verifier: proof.verifier,
            callID: try call.id(operation.path + " " + proof.provider, user: try userID(call)))
        let answer = try await user.answer(operation, request, for: call)
        if let refusal = answer.refusalOfCode { throw refusal }
        return try await add(answer.proof, refusing: .wrongCode, call)
    }

    /// Removes an identity, and returns whether the session of the call has ended.
    func remove(_ id: String, _ call: ClientCall) async throws(Refusal) -> Bool {
        let path = IdentityOperations.removeOwn.path + " " + id
        let request = RemoveIdentityRequest(id: id, callID: try call.id(path, user: try userID(call)))
        return try await user.settle(IdentityOperations.removeOwn, request, for: call).endsOwnSession == true
    }

    /// Sets the password, also the first one, and returns whether the session of the call has ended.
    func setPassword(_ password: String, _ call: ClientCall) async throws(Refusal) -> Bool {
        let path = IdentityOperations.setPassword.path
        let request = SetPasswordRequest(password: password, callID: try call.id(path, user: try userID(call)))
        return try await user.settle(IdentityOperations.setPassword, request, for: call).endsOwnSession == true
    }

    /// Removes the password, and returns whether the session of the call has ended.
    func removePassword(_ call: ClientCall) async throws(Refusal) -> Bool {
        let path = IdentityOperations.removePassword.path
        let request = RemovePasswordRequest(callID: try call.id(path, user: try userID(call)))
        return try await user.settle(IdentityOperations.removePassword, request, for: call).endsOwnSession == true
    }

    /// Merges the other account of a merge token, or begins to.
    func merge(_ body: MergeBody, _ call: ClientCall) async throws(Refusal) -> Merged {
        guard body.keepPhone == nil || body.keepPhone == Self.otherPhone else { throw .invalid(member: "keepPhone") }
        let id = try call.id(IdentityOperations.mergeOwn.path, user: try userID(call))
        let hasProof = [
            body.code, body.password, body.provider, body.identityToken, body.verifier, body.phoneToken,
        ].contains { $0 != nil }
        let proof = ReauthenticateRequest(
            code: body.code, channel: body.channel, password: body.password, provider: body.provider,
            token: body.identityToken, nonce: body.nonce, verifier: body.verifier, phoneToken: body.phoneToken,
            address: call.address, callID: id)
        let request = MergeRequest(
            mergeToken: body.mergeToken, keepsOtherPhone: body.keepPhone.map { _ in true },
            proof: hasProof ? proof : nil, waits: body.wait == true ? true : nil, callID: id)
        let answer = try await user.settle(IdentityOperations.mergeOwn, request, for: call)
        guard answer.result == .mergeWaits else { return .done(endsSession: answer.endsOwnSession == true) }
        return .waiting(movesAt: try answer.movesAt.orUnavailable())
    }

    /// Sends a code to a phone number or email address of the other account of a merge token.
    ///
    /// - Parameter locales: language tags, best first.
    func requestMergeCode(_ body: MergeCodeBody, locales: [String], _ call: ClientCall) async throws(Refusal) {
        let operation = IdentityOperations.requestMergeCode
        let code = ReauthenticationCodeRequest(
            channel: body.channel, locales: locales, appHash: body.appHash, address: call.address,
            callID: try call.id(operation.path, user: try userID(call)))
        try await user.settle(operation, MergeCodeRequest(mergeToken: body.mergeToken, code: code), for: call)
    }

    private func permit(_ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(IdentityOperations.permitOwn, NoBody(), for: call)
    }

    /// - Parameter used: the refusal of a proof that has served before.
    private func add(_ proof: String?, refusing used: Refusal, _ call: ClientCall) async throws(Refusal) -> Bool {
        let path = IdentityOperations.addOwn.path
        let request = AddIdentityRequest(
            proof: try proof.orUnavailable(), callID: try call.id(path, user: try userID(call)))
        let answer = try await user.answer(IdentityOperations.addOwn, request, for: call)
        if answer.result == .proofRefused { throw used }
        if let refusal = answer.refusal { throw refusal }
        return answer.endsOwnSession == true
    }

    private func userID(_ call: ClientCall) throws(Refusal) -> String { try signedInUser.admitted(call) }
}

import AuthAPI
import EdgeHTTP
import InternalAPI

/// Sign-in with passkeys, and the bearer's own passkeys.
extension NativeDialect {
    /// The seconds in which the sign-up sheet is filled in and a code arrives.
    private static let signUpSeconds: Int64 = 900

    func passkeyRows(_ passkeys: NativePasskeys) -> [DialectRow] {
        signInRows(passkeys) + ownPasskeyRows(passkeys) + (passkeys.signUp ? [signUpRow] : [])
            + (passkeys.relatedOrigins.isEmpty ? [] : [relatedOriginsRow(passkeys.relatedOrigins)])
    }

    private func signInRows(_ passkeys: NativePasskeys) -> [DialectRow] {
        [
            DialectRow(.post, "/auth/passkeys/options", .open) { request, useCases throws(Refusal) in
                try await options(.signIn, request, useCases.signInByPasskey)
            }
            .documented(
                .passkeys, "Returns the options for a sign-in; they are for no user in particular",
                .json(PasskeyOptionsReply.shape), refusals: PasskeyOperations.begin.refusals),
            DialectRow(.post, "/auth/passkeys/verify", .open) { request, useCases throws(Refusal) in
                try await verifyPasskey(request, useCases.signInByPasskey)
            }
            .documented(
                .passkeys, "Signs in with a passkey; the response is the same for every passkey that is refused",
                takes: .json(PasskeyVerifyBody.self), .json(SignInReply.self), refusals: Refusal.signInByPasskey),
            DialectRow(.post, "/auth/reauthenticate/options", .bearer) { request, useCases throws(Refusal) in
                let options = try await useCases.passkeys.beginStepUp(ClientCall(request))
                return .json(PasskeyOptionsReply(options, appName: passkeys.appName))
            }
            .documented(
                .passkeys, "Returns the options for `POST /auth/reauthenticate` with a passkey",
                .json(PasskeyOptionsReply.shape), refusals: PasskeyOperations.beginStepUp.refusals),
        ]
    }

    private var signUpRow: DialectRow {
        DialectRow(.post, "/auth/passkeys/signup/options", .open) { request, useCases throws(Refusal) in
            try await options(.signUp, request, useCases.signInByPasskey)
        }
        .documented(
            .passkeys, "Returns the options for a passkey that is added after the first sign-in",
            .json(PasskeyOptionsReply.shape), refusals: PasskeyOperations.begin.refusals)
    }

    private func ownPasskeyRows(_ passkeys: NativePasskeys) -> [DialectRow] {
        [
            DialectRow(.post, "/users/me/passkeys/options", .bearer) { request, useCases throws(Refusal) in
                let kind = try request.json.decodeIfSent(PasskeyOptionsBody.self)?.kind ?? .passkey
                let options = try await useCases.passkeys.begin(kind, ClientCall(request))
                return .json(PasskeyOptionsReply(options, appName: passkeys.appName))
            }
            .documented(
                .passkeys, "Returns the options for a new passkey", takes: .optionalJSON(PasskeyOptionsBody.self),
                .json(PasskeyOptionsReply.shape), refusals: PasskeyOperations.beginOwn.refusals),
            DialectRow(.post, "/users/me/passkeys", .bearer, answer: addPasskey)
                .documented(
                    .passkeys, "Adds a passkey; 202 if it can be used only from `activeFrom` on",
                    takes: .json(PasskeyBody.self), .json(PasskeySummary.self), status: 201, also: 202,
                    with: .json(PasskeySummary.self), refusals: Refusal.addPasskey),
            DialectRow(.get, "/users/me/passkeys", .bearer) { request, useCases throws(Refusal) in
                let own = try await useCases.passkeys.list(ClientCall(request))
                return .json(PasskeyList(passkeys: own.map(PasskeySummary.init)))
            }
            .documented(
                .passkeys, "Lists the user's passkeys, oldest first", .json(PasskeyList.self),
                refusals: PasskeyOperations.listOwn.refusals),
            DialectRow(.patch, "/users/me/passkeys/*", .bearer, answer: renamePasskey)
                .documented(
                    .passkeys, "Renames a passkey", takes: .json(PasskeyNameBody.self), .json(PasskeySummary.self),
                    refusals: PasskeyOperations.renameOwn.refusals + Refusal.accounts(.noPasskey, .invalidName)),
            DialectRow(.delete, "/users/me/passkeys/*", .bearer, answer: removePasskey)
                .documented(
                    .passkeys, "Removes a passkey, and revokes the sessions that it opened", .nothing, status: 204,
                    refusals: Refusal.removePasskey),
        ]
    }

    /// The file that browsers read at the RP ID for pages of other domains (L3 §5.11).
    private func relatedOriginsRow(_ origins: [String]) -> DialectRow {
        DialectRow(.get, "/.well-known/webauthn", .open, counting: .nothing) { _, _ throws(Refusal) in
            AppLinks.reply(RelatedOrigins(origins: origins))
        }
        .documented(
            .passkeys, "Lists the origins of other domains that use the passkeys", .json(RelatedOrigins.self))
    }

    // MARK: - Answers

    /// `POST /auth/passkeys/options`, `POST /auth/passkeys/signup/options`
    func options(
        _ ceremony: BeginPasskeyRequest.Ceremony, _ request: ClientRequest, _ signIn: SignInByPasskey
    ) async throws(Refusal) -> Reply {
        let options = try await signIn.begin(ceremony, ClientCall(request))
        return .json(
            PasskeyOptionsReply(
                options, appName: passkeys?.appName ?? "",
                timeoutSeconds: ceremony == .signUp ? Self.signUpSeconds : 300)
        )
    }

    /// `POST /auth/passkeys/verify`: exchanges an assertion for a session.
    func verifyPasskey(_ request: ClientRequest, _ signIn: SignInByPasskey) async throws(Refusal) -> Reply {
        let body = try request.json.decode(PasskeyVerifyBody.self)
        let signedIn = try await signIn(
            body.passkey, OpenSession.Wishes(dialect: name, deviceName: body.deviceName), ClientCall(request))
        return reply(to: request, signedIn)
    }

    @Sendable private func addPasskey(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let passkey = try await useCases.passkeys.add(request.json.decode(PasskeyBody.self), ClientCall(request))
        return .json(PasskeySummary(passkey), status: passkey.activeFrom == nil ? 201 : 202)
    }

    @Sendable private func renamePasskey(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply
    {
        let name = try request.json.decode(PasskeyNameBody.self).name
        return .json(
            PasskeySummary(try await useCases.passkeys.rename(Self.id(request), to: name, ClientCall(request))))
    }

    @Sendable private func removePasskey(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply
    {
        try await useCases.passkeys.remove(Self.id(request), ClientCall(request))
        return Reply(status: 204, headers: [("Cache-Control", "no-store")], body: [])
    }

    private static func id(_ request: ClientRequest) -> String {
        String(request.head.pathText.split(separator: "/").last ?? "")
    }
}

/// The response to `GET /.well-known/webauthn`.
struct RelatedOrigins: Codable {
    let origins: [String]
}

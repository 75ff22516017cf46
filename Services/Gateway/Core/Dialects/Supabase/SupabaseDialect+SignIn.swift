import AuthAPI
import EdgeHTTP
import InternalAPI
import StrictJSON

/// Sign-in, refresh, sign-out and the user.
extension SupabaseDialect {
    /// The dialect as it refuses requests to `/token`.
    private var atToken: SupabaseDialect { SupabaseDialect(facts: facts, isAtToken: true) }

    var signInRows: [DialectRow] {
        let requestCode = DialectRow.supabase(.post, "/otp", .open, repeats: .messages, answer: requestCode).map {
            $0.documented(
                .codes, "Sends a one-time code",
                takes: .json(Self.shape("CodeRequest", ["phone"], optional: ["channel"])),
                .json(.any), refusals: Refusal.requestCode)
        }
        let verify = DialectRow.supabase(.post, "/verify", .open, repeats: .signIns, answer: verify).map {
            $0.documented(
                .codes, "Signs in with a code",
                takes: .json(Self.shape("CodeProof", ["type", "token"], optional: ["phone"])),
                .json(.any), refusals: Refusal.signInByCode)
        }
        let token = DialectRow.supabase(.post, "/token", .open, repeats: .signIns, answer: token).map { row in
            var row = row
            row.refusing = atToken
            return row.documented(
                .sessions, "Opens or refreshes a session, by the parameter grant_type",
                takes: .json(
                    Self.shape(
                        "SessionProof", [], optional: ["refresh_token", "email", "password", "provider", "id_token"])),
                .json(.any), refusals: Refusal.refresh + Refusal.signInByPassword + Refusal.signInByIdentityToken)
        }
        let logOut = DialectRow.supabase(.post, "/logout", .open, answer: logOut).map {
            $0.documented(
                .sessions, "Revokes the session, the user's other sessions, or all of them",
                takes: .query([], optional: ["scope"]), .nothing, status: 204,
                refusals: [.noAccessToken, .accessTokenInvalid])
        }
        let user = DialectRow.supabase(.get, "/user", .bearer, counting: .all) { [self] request in
            .json(try await self.user(request, request.call))
        }
        .map { $0.documented(.user, "Returns the user", .json(.any), refusals: UserOperations.readProfile.refusals) }
        return requestCode + verify + token + logOut + user
    }

    private static func shape(_ name: String, _ names: [String], optional: [String]) -> JSONShape {
        .object(
            name: name,
            names.map { .init(name: $0, shape: .string) }
                + optional.map { .init(name: $0, shape: .string, isRequired: false) })
    }

    /// `POST /otp`: sends a code to a phone number, or a mail.
    @Sendable private func requestCode(_ request: SupabaseRequest) async throws -> Reply {
        guard let phone = try request.phone() else {
            if try request.text("email") != nil { return try await sendMail(request) }
            throw SupabaseError.validationFailed("One of email or phone must be set")
        }
        guard facts.sendsCodes else {
            throw SupabaseError(400, "phone_provider_disabled", "Phone sign-in is not enabled")
        }
        var order = RequestCode.Order(dialect: name, phone: phone, channel: try request.text("channel"))
        // The answer is the same for everybody, so that it does not tell who is a user.
        order.usersOnly = request["create_user"] == .bool(false)
        try await keepData(for: phone, request)
        try await request.useCases.requestCode(order, request.call)
        return .empty
    }

    /// `POST /verify`: exchanges a code for a session.
    @Sendable private func verify(_ request: SupabaseRequest) async throws -> Reply {
        let type = try request.needed("type")
        guard type == "sms" else { return try await verifyMail(request, type: type) }
        guard let phone = try request.phone() else { throw Refusal.invalidBody(.missing(member: "phone")) }
        let proof = SignInByCode.Proof(phone: phone, code: try request.needed("token"))
        let signedIn = try await request.useCases.signIn(proof, OpenSession.Wishes(dialect: name), request.call)
        return try await session(signedIn, request)
    }

    /// `POST /token`: opens a session, or rotates its refresh token.
    @Sendable private func token(_ request: SupabaseRequest) async throws -> Reply {
        switch request.query("grant_type") {
        case "refresh_token": try await refresh(request)
        case "password": try await signInByPassword(request)
        case "id_token": try await signInByIdentityToken(request)
        case "pkce": try await exchangeCode(request)
        default: throw SupabaseError.invalidCredentials
        }
    }

    private func refresh(_ request: SupabaseRequest) async throws -> Reply {
        let token = try request.needed("refresh_token")
        // A session of the Supabase project that the app leaves continues here.
        let exchanged = try await request.useCases.exchangePrevious(token, dialect: name, request.unkeyed)
        if let exchanged { return try await session(exchanged, request) }
        return try await session(
            try await request.useCases.refresh(token, asksForRights: false, request.unkeyed), request)
    }

    private func signInByPassword(_ request: SupabaseRequest) async throws -> Reply {
        guard try request.text("phone") == nil else {
            throw SupabaseError(422, "phone_provider_disabled", "Phone logins with a password are not enabled")
        }
        guard facts.hasPasswords else {
            throw SupabaseError(422, "email_provider_disabled", "Email logins are disabled")
        }
        let credentials = SignInByPassword.Credentials(
            email: try request.needed("email"), password: try request.needed("password"))
        do throws(Refusal) {
            // Two phones in one house may send the same, so that each gets a session of its own.
            let signedIn = try await request.useCases.signInByPassword(
                credentials, OpenSession.Wishes(dialect: name), request.unkeyed)
            return try await session(signedIn.tokens, request)
        } catch .tooMany(let limit, let seconds) {
            // No session ends at the 429 of a sign-in.
            throw SupabaseError(.tooMany(limit, retryAfterSeconds: seconds))
        }
    }

    private func signInByIdentityToken(_ request: SupabaseRequest) async throws -> Reply {
        guard request["link_identity"] != .bool(true) else { throw SupabaseError.manualLinkingDisabled }
        let provider = try request.needed("provider")
        guard facts.providers.contains(provider) else {
            throw SupabaseError(400, "provider_disabled", "Provider is not enabled")
        }
        let proof = SignInByIdentityToken.Proof(
            provider: provider, token: try request.needed("id_token"), nonce: try request.text("nonce"))
        let signedIn = try await request.useCases.signInByIdentityToken(
            proof, OpenSession.Wishes(dialect: name), request.call)
        return try await session(signedIn.tokens, request)
    }

    /// `POST /logout`: 204 for every token of ours, since clients keep a session whose sign-out fails.
    @Sendable private func logOut(_ request: SupabaseRequest) async throws -> Reply {
        let scope: LogoutScope
        switch request.query("scope") ?? "global" {
        case "global": scope = .all
        case "others": scope = .others
        case "local": scope = .session
        default: throw SupabaseError.validationFailed("Unsupported logout scope")
        }
        try await request.useCases.logOut.withAnyToken(scope: scope, request.call)
        return Reply(status: 204, headers: [("Cache-Control", "no-store")], body: [])
    }
}

extension Reply {
    /// The answer of a call that returns nothing. No client accepts an empty body.
    static let empty = Reply.json([String: String]())
}

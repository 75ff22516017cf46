import AccessTokens
import EdgeHTTP
import InternalAPI
import Policies
import StrictJSON

/// The calls of a back end that has a key of the secret `supabase_keys`. user-service knows the keys.
extension SupabaseDialect {
    private static let users = "/admin/users"
    private static let user = "/admin/users/*"

    var administrationRows: [DialectRow] {
        [
            administrators(.get, Self.users, "Lists users by pages") { try await list($0, $1) },
            administrators(.post, Self.users, "Creates a user") { .json(try await create($0, $1)) },
            administrators(.get, Self.user, "Returns a user") {
                .json(try shown(await $0.administration.read(try id($0), $1)))
            },
            administrators(.put, Self.user, "Changes a user") { .json(try await change($0, $1)) },
            administrators(.delete, Self.user, "Schedules a user's removal") { request, call in
                _ = try await request.administration.delete(try id(request), call)
                return .json([String: String]())
            },
            administrators(.post, "/invite", "Creates a user and mails them a code") {
                .json(try await invite($0, $1))
            },
        ].flatMap(\.self)
    }

    private func administrators(
        _ method: HTTPMethod, _ path: String, _ summary: String,
        _ answer: @escaping @Sendable (SupabaseRequest, AdminCall) async throws -> Reply
    ) -> [DialectRow] {
        DialectRow.supabase(method, path, .open) { request in
            let call = try AdminCall(request.request, key: try Self.key(of: request.request))
            return try await answer(request, call)
        }.map { $0.forAdministrators.documented(.administration, summary, .json(.any)) }
    }

    /// Returns the key of a request, which is no page's: a page cannot keep a secret.
    ///
    /// A bearer decides alone, since a back end may add its `apikey` to requests with a user's token.
    private static func key(of request: ClientRequest) throws(SupabaseError) -> String {
        let sent: String? =
            switch BearerCredential.presented(by: request.head) {
            case .token(let token)?: String(decoding: token, as: UTF8.self)
            case .malformed?: ""
            case .missing?, nil: request.head.text("apikey")
            }
        guard let key = sent else {
            throw SupabaseError(401, "no_authorization", "This endpoint requires a valid Bearer token")
        }
        guard key.hasPrefix(AdminCall.keyPrefix), request.head.all("origin").isEmpty else {
            throw SupabaseError(403, "not_admin", "User not allowed")
        }
        return key
    }

    /// The user of the path, whose UUID may be in capitals.
    private func id(_ request: SupabaseRequest) throws(Refusal) -> String {
        let uuid = request.request.head.pathText.split(separator: "/").last.map(String.init) ?? ""
        guard let id = SupabaseID.userID(uuid, prefix: facts.userIDPrefix) else { throw .noSuchUser }
        return id
    }

    private func shown(_ user: UserSummary) throws(Refusal) -> SupabaseUser {
        try SupabaseUser(user, prefix: facts.userIDPrefix).orUnavailable()
    }
}

// MARK: - The list

extension SupabaseDialect {
    private struct Page: Encodable {
        let users: [SupabaseUser]
        let aud = Policy.supabaseAudience
    }

    private func list(_ request: SupabaseRequest, _ call: AdminCall) async throws -> Reply {
        let (page, size) = (try Self.number("page", request) ?? 1, try Self.number("per_page", request) ?? 50)
        guard size <= SearchUsersRequest.usersMax else {
            throw SupabaseError.validationFailed("per_page is at most \(SearchUsersRequest.usersMax)")
        }
        let search = SearchUsersRequest(limit: size, offset: (page - 1) * size)
        let found = try await request.administration.search(search, call)
        let total = found.total ?? 0
        let users = try found.users.map { user throws(Refusal) in try shown(user) }
        return .json(
            Page(users: users),
            headers: [
                ("X-Total-Count", "\(total)"), ("Link", Self.links(page: page, size: size, total: total)),
            ])
    }

    /// The links to the next page and the last one. Clients read what follows the first `=`, so the page comes first.
    static func links(page: Int, size: Int, total: Int) -> String {
        let last = max(1, (total + size - 1) / size)
        let link = { (number: Int, name: String) in
            "<\(users)?page=\(number)&per_page=\(size)>; rel=\"\(name)\""
        }
        return ((page < last ? [link(page + 1, "next")] : []) + [link(last, "last")]).joined(separator: ", ")
    }

    /// Reads a number from 1; an empty one is none.
    private static func number(_ name: String, _ request: SupabaseRequest) throws -> Int? {
        guard let text = request.query(name) else { return nil }
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            number > 0
        else { throw SupabaseError.validationFailed("Bad Pagination Parameters: \(name)") }
        return number
    }
}

// MARK: - Changes

extension SupabaseDialect {
    /// The members of `app_metadata` that are not the operator's own.
    private static let reserved = ["provider", "providers", "role"]
    /// The role without rights, which new users have.
    private static let plainRole = "user"

    private func create(_ request: SupabaseRequest, _ call: AdminCall) async throws -> SupabaseUser {
        let app = try Self.object("app_metadata", request)
        return try await create(
            CreateUserRequest(
                phone: try request.phone(), email: try request.text("email"),
                emailVerified: request["email_confirm"]?.boolValue ?? false, role: try Self.role(app),
                id: try request.text("id"), password: try request.text("password"),
                passwordHash: try request.text("password_hash"), isActive: try Self.isActive(request),
                metadata: ImportedMetadata(
                    app: app.map { .object($0.without(Self.reserved)) },
                    own: try Self.object("user_metadata", request).map { .object($0) }),
                callID: CallID.random()), request, call)
    }

    private func create(
        _ user: CreateUserRequest, _ request: SupabaseRequest, _ call: AdminCall
    ) async throws -> SupabaseUser {
        do { return try shown(await request.administration.create(user, call)) } catch Refusal.identityInUse {
            let kind = user.email == nil ? "phone" : "email"
            throw SupabaseError(422, "\(kind)_exists", "A user with this \(kind) has already been registered")
        }
    }

    private func change(_ request: SupabaseRequest, _ call: AdminCall) async throws -> SupabaseUser {
        let user = try await request.administration.read(try id(request), call)
        try Self.requireUnchanged(user, request)
        let app = try Self.object("app_metadata", request)
        let change = ChangeUserRequest(
            userID: user.id, role: try Self.role(app), isActive: try Self.isActive(request),
            appPatch: try Self.patch(app?.without(Self.reserved), of: user.metadata?.app),
            ownPatch: try Self.patch(Self.object("user_metadata", request), of: user.metadata?.own))
        guard change != ChangeUserRequest(userID: user.id) else { return try shown(user) }
        return try shown(await request.administration.change(change, call))
    }

    /// Refuses what is not the back end's to change. Back ends send addresses and numbers back as they were.
    private static func requireUnchanged(_ user: UserSummary, _ request: SupabaseRequest) throws {
        let sent: [(String, String?, String?)] = [
            ("email", try request.text("email")?.lowercased(), user.email?.lowercased()),
            ("phone", try request.phone(), user.phoneNumber), ("password", try request.text("password"), nil),
            ("password_hash", try request.text("password_hash"), nil),
        ]
        for (member, new, old) in sent where new != nil && new != old {
            throw SupabaseError.validationFailed("\(member) is changed by the user, or by latchkeyctl")
        }
    }

    /// Creates the user, so that the back end has their id, and mails them a code.
    private func invite(_ request: SupabaseRequest, _ call: AdminCall) async throws -> SupabaseUser {
        let email = try request.needed("email")
        // The user would be in the way of the invitation that is mailed later.
        guard facts.sendsMail else { throw SupabaseError(400, "email_provider_disabled", "Email logins are disabled") }
        let user = CreateUserRequest(
            email: email, emailVerified: false,
            metadata: ImportedMetadata(own: try Self.object("data", request).map { .object($0) }),
            callID: CallID.random())
        var invited = try await create(user, request, call)
        try await request.useCases.requestMail(
            RequestMail.Order(email: email, locales: [], dialect: name), request.call)
        (invited.email, invited.isConfirmed) = (email, false)
        return invited
    }

    private static func object(_ name: String, _ request: SupabaseRequest) throws(Refusal) -> JSONObject? {
        guard let value = request[name] else { return nil }
        guard let object = value.objectValue else { throw .invalidBody(.wrongType(member: name)) }
        return object
    }

    /// The role in `app_metadata`. A missing one stays as it is; `null` takes it away, so it cannot be read as missing.
    private static func role(_ app: JSONObject?) throws(Refusal) -> String? {
        switch app?["role"] {
        case nil: nil
        case .null?: plainRole
        case .string(let role)?: role
        default: throw .invalidBody(.wrongType(member: "role"))
        }
    }

    /// Returns the merge patch that replaces whole members, or `nil` if it changes nothing.
    private static func patch(_ new: JSONObject?, of old: MetadataObject?) throws -> String? {
        guard let new, !new.members.isEmpty else { return nil }
        return patch(new, over: try old?.value().objectValue)
    }

    /// Whether `ban_duration` is `none`; `nil` if it is missing. A ban has no end here.
    private static func isActive(_ request: SupabaseRequest) throws -> Bool? {
        guard let duration = try request.text("ban_duration") else { return nil }
        guard duration != "none" else { return true }
        guard duration.utf8.count <= 32, duration.utf8.contains(where: { (0x31...0x39).contains($0) }),
            duration.utf8.allSatisfy("0123456789.hms".utf8.contains)
        else { throw SupabaseError.validationFailed("invalid format for ban duration: \"24h\" or \"none\"") }
        return false
    }
}

extension SupabaseRequest {
    fileprivate var administration: AdministerUsers { useCases.administration }
}

extension SupabaseUser {
    /// The end of the ban of a deactivated user, which only an administrator ends: the year 2100, in Unix seconds.
    private static let endOfBans: Int64 = 4_102_444_800

    /// Creates the user that administrators see, or returns `nil` if the id is not one of this deployment's.
    fileprivate init?(_ user: UserSummary, prefix: String) {
        guard let id = SupabaseID.uuid(ofUser: user.id, prefix: prefix) else { return nil }
        let known =
            [("phone", user.phoneNumber.map { String($0.drop { $0 == "+" }) }), ("email", user.email)]
            + (user.identities ?? []).map { ($0.provider, $0.subject) }
        let identities = known.compactMap { provider, subject in
            subject.map {
                Identity(provider: provider, subject: $0, createdAt: user.createdAt, lastSignInAt: user.lastSignInAt)
            }
        }
        self.init(
            id: id, email: user.email, phone: user.phoneNumber, role: user.role, createdAt: user.createdAt,
            metadata: user.metadata, identities: identities)
        updatedAt = user.updatedAt
        bannedUntil = user.isActive ? nil : Self.endOfBans
    }
}

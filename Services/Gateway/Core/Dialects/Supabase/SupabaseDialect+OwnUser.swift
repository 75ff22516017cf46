import AuthAPI
import EdgeHTTP
import InternalAPI
import StrictJSON

/// Changes of the signed-in user.
extension SupabaseDialect {
    var ownUserRows: [DialectRow] {
        let change = DialectRow.supabase(.put, "/user", .bearer, counting: .all, answer: changeUser).map {
            $0.documented(
                .user, "Changes the user's metadata, email address, phone number or password", takes: .json(.any),
                .json(.any), refusals: Refusal.identityChange + Refusal.reauthentication)
        }
        let nonce = DialectRow.supabase(.get, "/reauthenticate", .bearer, counting: .all, answer: sendNonce).map {
            $0.documented(
                .user, "Sends a code with which the user shows again who they are", .json(.any),
                refusals: UserOperations.requestReauthenticationCode.refusals)
        }
        return change + nonce
    }

    /// `GET /reauthenticate`
    @Sendable private func sendNonce(_ request: SupabaseRequest) async throws -> Reply {
        try await request.useCases.reauthentication.requestCode(
            ReauthenticationCodeBody(), in: name, locales: AcceptedLanguages.tags(request.request.head), request.call)
        return .empty
    }

    /// `PUT /user`. The password comes last, since it may end the session of the call.
    @Sendable private func changeUser(_ request: SupabaseRequest) async throws -> Reply {
        let password = try request.text("password")
        let email = try request.text("email")
        let phone = try request.phone()
        if password != nil || email != nil || phone != nil { try await reauthenticate(request) }
        var user = try await user(request, request.call)
        if let data = request["data"] {
            guard case .object(let data) = data else { throw Refusal.invalidBody(.wrongType(member: "data")) }
            let update = UpdateUserRequest(
                ownPatch: Self.patch(data, over: try user.metadata?.own.value().objectValue))
            _ = try await request.useCases.profile.change(update, request.call)
            user = try await self.user(request, request.call)
        }
        if let email, email != user.email {
            try await request.useCases.identities.requestEmail(
                email, in: name, locales: AcceptedLanguages.tags(request.request.head), request.call)
            user.newEmail = email
        }
        if let phone, phone != user.phone {
            let order = RequestCode.Order(dialect: name, phone: phone, channel: try request.text("channel"))
            try await request.useCases.identities.requestPhone(order, request.call)
            user.newPhone = phone
        }
        if let password { _ = try await request.useCases.identities.setPassword(password, request.call) }
        return .json(user)
    }

    /// Shows again who the user is, if the request has a proof of it. Without one, the session's own time decides.
    private func reauthenticate(_ request: SupabaseRequest) async throws {
        let useCase = request.useCases.reauthentication
        if let nonce = try request.text("nonce") {
            try await useCase(ReauthenticationBody(code: nonce), passkey: nil, in: name, request.call)
        } else if let password = try request.text("current_password") {
            do throws(Refusal) {
                try await useCase(ReauthenticationBody(password: password), passkey: nil, request.call)
            } catch .reauthenticationFailed {
                throw Refusal.wrongPassword
            }
        }
    }

    /// Returns the merge patch (RFC 7396) that replaces whole members, as Supabase Auth does: the new object's alone would keep what an
    /// object has and its successor lacks.
    ///
    /// - Parameter isInner: whether the objects are members of the user's.
    static func patch(_ new: JSONObject, over old: JSONObject?, isInner: Bool = false) -> String {
        func text(_ value: JSONValue) -> String { String(decoding: value.canonical, as: UTF8.self) }
        let members = new.members.map { member in
            let value =
                if let inner = member.value.objectValue, let before = old?[member.name]?.objectValue {
                    patch(inner, over: before, isInner: true)
                } else {
                    text(member.value)
                }
            return text(.string(member.name)) + ":" + value
        }
        let lost = (isInner ? old?.members ?? [] : []).filter { new[$0.name] == nil }
        return "{" + (members + lost.map { text(.string($0.name)) + ":null" }).joined(separator: ",") + "}"
    }

    /// `POST /verify` of type `email_change` or `phone_change`: the code that was sent to the new address or number, with the user's
    /// access token.
    func verifyChange(_ request: SupabaseRequest, type: String) async throws -> Reply {
        let code = try request.needed("token")
        let change = request.useCases.identities
        // Without the user's token, as clients call it, the owner of a mistyped number or address would take the account over.
        guard change.signedInUser.isOurs(request.call.credential) else { throw SupabaseError.otpExpired }
        do throws(Refusal) {
            if type == "email_change" {
                _ = try await change.addEmail(try request.needed("email"), code: code, in: name, request.call)
            } else {
                guard let phone = try request.phone() else { throw .invalidBody(.missing(member: "phone")) }
                _ = try await change.addPhone(.code(code, phone: phone, region: nil), in: name, request.call)
            }
        } catch .tooMany, .noAccessToken, .accessTokenInvalid {
            throw SupabaseError.otpExpired
        } catch .identityInUse {
            throw type == "email_change"
                ? SupabaseError(422, "email_exists", "A user with this email address has already been registered")
                : SupabaseError(422, "phone_exists", "A user with this phone number has already been registered")
        }
        return .json(try await user(request, request.call))
    }
}

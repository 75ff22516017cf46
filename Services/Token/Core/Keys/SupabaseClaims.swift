import AccessTokens
import InternalAPI
import Policies
import StrictJSON

/// The claims of a session of the dialect `supabase`, as PostgREST and the clients of Supabase Auth read them.
///
/// `role` names a database role, the same for all users. Our role and `ver` are what the gateway reads rights from.
struct SupabaseClaims {
    /// An id has no UUID, as none has that we made.
    struct ForeignID: Error {}

    static let role = "authenticated"
    private static let ownMembers = ["provider", "providers", "role"]

    let session: SessionRecord
    let user: UserClaims

    /// Returns the payload of the session's token.
    ///
    /// - Parameter claims: the claims of every token, with our own id of the user.
    func payload(_ claims: AccessTokenClaims, userIDPrefix: String) throws -> [UInt8] {
        guard let subject = SupabaseID.uuid(ofUser: claims.subject, prefix: userIDPrefix),
            let sessionID = SupabaseID.uuid(ofSession: claims.sessionID)
        else { throw ForeignID() }
        var claims = claims
        claims.subject = subject
        var writer = claims.registered
        writer.member("role", Self.role)
        writer.member("email", user.email ?? "")
        writer.member("phone", String(user.phone?.drop { $0 == "+" } ?? ""))
        writer.member("app_metadata", json: try appMetadata())
        writer.member("user_metadata", json: Array((user.metadata?.own ?? .empty).text.utf8))
        writer.member("aal", session.factors.acr)
        writer.member("amr", json: methods())
        writer.member(TokenProfile.authenticationTime, session.authenticatedAt)
        writer.member("session_id", sessionID)
        writer.member("is_anonymous", false)
        return writer.finished()
    }

    /// The members that the operator wrote, after those that no one can write.
    private func appMetadata() throws -> [UInt8] {
        let own = provider
        let others = [user.phone.map { _ in "phone" }, user.email.map { _ in "email" }].compactMap(\.self)
        var writer = JSONWriter()
        writer.member("provider", own)
        writer.member("providers", [own] + others.filter { $0 != own })
        writer.member("role", user.role)
        for member in try user.metadata?.app.value().objectValue?.members ?? []
        where !Self.ownMembers.contains(member.name) {
            writer.member(member.name, json: member.value.canonical)
        }
        return writer.finished()
    }

    /// How the session began, and the second factors since, each with its time.
    private func methods() -> [UInt8] {
        var items = [(beginning, session.createdAt)]
        if session.factors.contains(.otp) { items.append(("totp", session.authenticatedAt)) }
        if session.factors.contains(.pop), beginning != "passkey" { items.append(("passkey", session.authenticatedAt)) }
        let texts = items.map { #"{"method":"\#($0)","timestamp":\#($1)}"# }
        return Array("[\(texts.joined(separator: ","))]".utf8)
    }

    /// The method of Supabase Auth by which the session began.
    private var beginning: String {
        switch session.method {
        case "password": "password"
        case Attestation.recoveryMethod: "recovery"
        case "apple": "oauth"
        case _ where session.method.hasPrefix("oidc:"): "oauth"
        case _ where PasskeyMethod.label(session.method) == "passkey": "passkey"
        default: "otp"
        }
    }

    /// The provider of Supabase Auth by which the session began.
    private var provider: String {
        switch session.method {
        case "apple": "apple"
        case "password", "email", "link", Attestation.recoveryMethod: "email"
        case _ where session.method.hasPrefix("oidc:"): String(session.method.dropFirst("oidc:".count))
        default: user.phone == nil && user.email != nil ? "email" : "phone"
        }
    }
}

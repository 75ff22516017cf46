import AccessTokens
import AuthAPI
import InternalAPI
import Policies
import ServiceKit
import StrictJSON

/// A user as Supabase Auth shows them. Times are in Unix seconds; those that are `nil` are left out.
struct SupabaseUser: Encodable, Sendable {
    /// A way to sign in.
    struct Identity: Sendable {
        /// `phone`, `email`, `apple` or the provider's name.
        var provider: String
        /// The phone number without `+`, or the email address; for an account at a provider our id of it.
        var subject: String
        var email: String?
        var createdAt: Int64
        var lastSignInAt: Int64?
    }

    /// The UUID.
    var id: String
    var email: String?
    /// The phone number in the form of E.164.
    var phone: String?
    /// The role that rights come from; Supabase's own is always `authenticated`.
    var role: String
    var createdAt: Int64
    var updatedAt: Int64?
    var bannedUntil: Int64?
    var newEmail: String?
    var newPhone: String?
    var metadata: UserMetadata?
    var identities: [Identity]
    /// Whether the user exists; `false` for a registration, which its owner has not confirmed.
    var isConfirmed = true

    init(
        id: String, email: String?, phone: String?, role: String, createdAt: Int64, metadata: UserMetadata?,
        identities: [Identity]
    ) {
        (self.id, self.email, self.phone, self.role) = (id, email, phone, role)
        (self.createdAt, self.metadata, self.identities) = (createdAt, metadata, identities)
    }

    /// Creates the user of a profile, or returns `nil` if the id is not one of this deployment's.
    init?(_ details: UserDetails, _ list: IdentityList, prefix: String) {
        guard let id = SupabaseID.uuid(ofUser: details.id, prefix: prefix) else { return nil }
        self.init(
            id: id, email: details.email, phone: details.phoneNumber, role: details.role, createdAt: details.createdAt,
            metadata: details.metadata, identities: list.identities.map(Identity.init))
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        let (emailTime, phoneTime) = (confirmedAt("email", email), confirmedAt("phone", phone))
        for (name, value) in [
            ("id", id), ("aud", Self.role), ("role", Self.role), ("email", email ?? ""), ("phone", Self.digits(phone)),
            ("new_email", newEmail), ("new_phone", newPhone.map(Self.digits)),
        ] { try members.encodeIfPresent(value, forKey: MemberName(name)) }
        for (name, time) in [
            ("email_confirmed_at", emailTime), ("phone_confirmed_at", phoneTime),
            ("confirmed_at", [emailTime, phoneTime].compactMap(\.self).min()),
            ("last_sign_in_at", identities.compactMap(\.lastSignInAt).max()), ("created_at", createdAt),
            ("updated_at", updatedAt ?? identities.map(\.createdAt).reduce(createdAt, max)),
            ("banned_until", bannedUntil),
        ] { try members.encodeIfPresent(time.map(Self.date), forKey: MemberName(name)) }
        try members.encode(AppMetadata(user: self), forKey: MemberName("app_metadata"))
        try members.encode(metadata?.own ?? .empty, forKey: MemberName("user_metadata"))
        try members.encode(identities.map { ShownIdentity(user: id, $0) }, forKey: MemberName("identities"))
        try members.encode(false, forKey: MemberName("is_anonymous"))
    }

    private static let role = "authenticated"

    /// Returns a time as every client reads it.
    static func date(_ time: Int64) -> String { ISOTime.text(time) + "Z" }

    /// Returns a phone number without its `+`.
    fileprivate static func digits(_ phone: String?) -> String { String(phone?.drop { $0 == "+" } ?? "") }

    /// When the user showed that an address or phone number is theirs.
    private func confirmedAt(_ provider: String, _ value: String?) -> Int64? {
        value == nil || !isConfirmed ? nil : identities.first { $0.provider == provider }?.createdAt
    }
}

/// The object that clients read rights from: what the operator wrote, after the members that no client can write.
private struct AppMetadata: Encodable {
    private static let ownMembers = ["provider", "providers", "role"]

    let user: SupabaseUser

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        let providers = user.identities.sorted { $0.createdAt < $1.createdAt }.reduce(into: [String]()) {
            names, identity in
            if !names.contains(identity.provider) { names.append(identity.provider) }
        }
        try members.encode(providers.first ?? (user.phone == nil ? "email" : "phone"), forKey: MemberName("provider"))
        try members.encode(providers, forKey: MemberName("providers"))
        try members.encode(user.role, forKey: MemberName("role"))
        for member in try user.metadata?.app.value().objectValue?.members ?? []
        where !Self.ownMembers.contains(member.name) {
            try members.encode(member.value, forKey: MemberName(member.name))
        }
    }
}

/// An identity with the user's UUID.
private struct ShownIdentity: Encodable {
    let identity_id, id, user_id: String
    let identity_data: [String: JSONValue]
    let provider, created_at, updated_at: String
    let last_sign_in_at, email: String?

    init(user: String, _ identity: SupabaseUser.Identity) {
        identity_id = SupabaseID.uuid(ofIdentity: identity.provider, user: user)
        (id, user_id, provider, email) = (identity.subject, user, identity.provider, identity.email)
        created_at = SupabaseUser.date(identity.createdAt)
        updated_at = SupabaseUser.date(identity.lastSignInAt ?? identity.createdAt)
        last_sign_in_at = identity.lastSignInAt.map(SupabaseUser.date)
        var data: [String: JSONValue] = ["sub": .string(identity.subject)]
        if let email = identity.email { (data["email"], data["email_verified"]) = (.string(email), .bool(true)) }
        if identity.provider == "phone" {
            (data["phone"], data["phone_verified"]) = (.string(identity.subject), .bool(true))
        }
        identity_data = data
    }
}

extension SupabaseUser.Identity {
    init(_ summary: IdentitySummary) {
        let value = summary.kind == "phone" ? summary.value.map { SupabaseUser.digits($0) } : summary.value
        self.init(
            provider: summary.provider ?? summary.kind, subject: value ?? summary.id,
            email: summary.kind == "email" ? summary.value : nil, createdAt: summary.addedAt,
            lastSignInAt: summary.lastUsedAt)
    }
}

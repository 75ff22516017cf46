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
        try members.encode(id, forKey: MemberName("id"))
    }
}

extension SupabaseUser.Identity {
    init(_ summary: IdentitySummary) {
        self.init(
            provider: summary.provider ?? summary.kind, subject: summary.value ?? summary.id, email: nil,
            createdAt: summary.addedAt, lastSignInAt: summary.lastUsedAt)
    }
}

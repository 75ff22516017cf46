import AuthAPI
import InternalAPI

/// A change of one user by the operator: rights, attributes, metadata, name, phone number and email address.
struct OperatorChange: Sendable {
    let rights: RightsChange?
    let name: ProfileChange?
    let phone: VerifiedIdentity?
    /// An email address, which its owner has yet to verify.
    let email: VerifiedIdentity?
    let metadata: [MetadataChange]
    /// Whether another phone number ends no session.
    let keepsSessions: Bool

    /// - Parameter region: the region of phone numbers without a calling code, or `nil` if they are invalid.
    /// - Throws: `InvalidInput` if nothing is to change, or a value is invalid.
    init(_ request: ChangeUserRequest, attributes: AttributeRules, region: String?) throws {
        let hasRights = request.role != nil || request.isActive != nil || request.attributes?.isEmpty == false
        guard
            hasRights || request.name != nil || request.phone != nil || request.email != nil
                || request.appPatch != nil || request.ownPatch != nil
        else {
            throw InvalidInput.change
        }
        rights =
            try hasRights
            ? RightsChange(
                role: request.role, isActive: request.isActive,
                attributes: try attributes.written(request.attributes ?? [:])) : nil
        name = try request.name.map { typed in
            try ProfileChange(
                name: typed.isEmpty ? nil : typed, removesName: typed.isEmpty, attributes: UserAttributes())
        }
        phone = try request.phone.map { typed in
            guard let identity = VerifiedIdentity(typed: typed, region: region), identity.kind == .phone else {
                throw InvalidInput.phone
            }
            return identity
        }
        email = try request.email.map { typed in
            guard let identity = VerifiedIdentity(typed: typed, region: nil), identity.kind == .email else {
                throw InvalidInput.address
            }
            return identity
        }
        metadata = try [(request.appPatch, MetadataChange.Part.app), (request.ownPatch, .own)].compactMap {
            patch, part in
            try patch.map { try MetadataChange($0, of: part) }
        }
        keepsSessions = request.keepsSessions == true
    }

    /// The user after the change, and the names of what changed.
    ///
    /// An email address is not the user's before it is verified. Another phone number raises the version of the tokens' claims, and the epoch, unless the sessions stay.
    /// - Throws: `InvalidInput` for metadata that becomes too long; `StorageError` for stored metadata that is damaged.
    func applied(to user: User, now: Int64) throws -> (user: User, changed: [String]) {
        var (after, changed) = rights?.applied(to: user, now: now) ?? (user, [])
        if let name {
            let (named, more) = try name.applied(to: after, now: now)
            (after, changed) = (named, changed + more)
        }
        if let phone, phone.value != user.phone {
            after.phone = phone.value
            after.version = user.version + 1
            if !keepsSessions { after.epoch = max(after.epoch, user.epoch + 1) }
            after.updatedAt = now
            changed.append("phone")
        }
        for change in metadata {
            let more = try after.change(change)
            if !more.isEmpty { (after.updatedAt, changed) = (now, changed + more) }
        }
        if let email, email.value != user.email { changed.append("email") }
        return (after, changed)
    }
}

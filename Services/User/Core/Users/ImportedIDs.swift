import CryptoPrimitives
import InternalAPI

/// Ids of imported users that the file gives no id.
///
/// A user gets the same id in each import. Users who were removed on their own request are thereby recognised when the same
/// file is imported again, and stay removed. Without the key, an id does not reveal its user.
struct ImportedIDs: Sendable {
    private static let info = "latchkey imported users"

    private let key: HMACSHA256

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { key = HMACSHA256(key: HKDF.derive(from: ring.signing.secret, info: Self.info)) }

    /// Derives the id of an imported user.
    ///
    /// - Parameters:
    ///   - legacyID: the user's id in the other system, or `nil` if `identity` distinguishes the user from others.
    ///   - createdAt: the time in the id, in Unix seconds.
    func id(legacyID: String?, _ identity: VerifiedIdentity?, createdAt: Int64) -> UserID {
        let (kind, name) = legacyID.map { ("", $0) } ?? (identity?.kind.rawValue ?? "", identity?.value ?? "")
        let tag = key.authenticate(Array("\(kind) ".utf8) + Array(name.utf8))
        let (milliseconds, hasOverflown) = createdAt.multipliedReportingOverflow(by: 1_000)
        return UserID(milliseconds: hasOverflown ? 0 : milliseconds) { Array(tag.prefix($0)) }
    }
}

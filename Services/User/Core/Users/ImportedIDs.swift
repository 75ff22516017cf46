import CryptoPrimitives
import InternalAPI

/// Ids of users who are moved in and bring none.
///
/// The same user gets the same id each time: one who was moved in and then removed at his wish is known by it when the same
/// file comes again, and stays removed. Without the key nobody can tell whose id it was.
struct ImportedIDs: Sendable {
    private static let info = "latchkey imported users"

    private let key: HMACSHA256

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { key = HMACSHA256(key: HKDF.derive(from: ring.signing.secret, info: Self.info)) }

    /// - Parameters:
    ///   - legacyID: what he was called; where he was not, `identity` tells him from the others.
    ///   - createdAt: Unix seconds; the moment that the id is of.
    func id(legacyID: String?, _ identity: ProvedIdentity?, createdAt: Int64) -> UserID {
        let (kind, name) = legacyID.map { ("", $0) } ?? (identity?.kind.rawValue ?? "", identity?.value ?? "")
        let tag = key.authenticate(Array("\(kind) ".utf8) + Array(name.utf8))
        let (milliseconds, hasOverflown) = createdAt.multipliedReportingOverflow(by: 1_000)
        return UserID(milliseconds: hasOverflown ? 0 : milliseconds) { Array(tag.prefix($0)) }
    }
}

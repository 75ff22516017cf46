import CryptoPrimitives
import InternalAPI

/// Seals a session's claims and keeps them small. They contain the phone number, and there is one copy for each session.
///
/// Plain form: version (8 bytes), then phone, e-mail and role, each as length + 1 (2 bytes) and UTF-8; a length field of 0 means
/// that there is none. An imported user's old id follows.
struct ClaimsSeal: Sendable {
    /// The row cannot be decrypted with our keys, or is not one of ours.
    struct Unreadable: Error {}

    private static let textBytesMax = 1024
    private let seal: StorageSeal

    /// - Parameter ring: `token_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, use: .claims) }

    /// Seals the claims for the row of session `id`. The caller's contract refuses text beyond 1,024 bytes.
    func seal(_ claims: UserClaims, for id: SessionID) throws(StorageSeal.Failure) -> [UInt8] {
        var plain = BigEndian.bytes(UInt64(bitPattern: claims.version), count: 8)
        for text in [claims.phone, claims.email, claims.role] + (claims.legacyID.map { [$0] } ?? []) {
            guard let text, text.utf8.count <= Self.textBytesMax else {
                plain += [0, 0]
                continue
            }
            plain += BigEndian.bytes(UInt64(text.utf8.count + 1), count: 2) + text.utf8
        }
        return try seal.seal(plain, context: id.bytes)
    }

    func open(_ sealed: [UInt8], of id: SessionID) throws(Unreadable) -> UserClaims {
        guard let plain = seal.open(sealed, context: id.bytes), plain.count >= 8 else { throw Unreadable() }
        var rest = plain[8...]
        let phone = try Self.text(&rest)
        let email = try Self.text(&rest)
        guard let role = try Self.text(&rest) else { throw Unreadable() }
        return UserClaims(
            phone: phone, email: email, role: role, version: Int64(bitPattern: BigEndian.number(plain.prefix(8))),
            legacyID: rest.isEmpty ? nil : try Self.text(&rest))
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) throws(Unreadable) -> String? {
        guard rest.count >= 2 else { throw Unreadable() }
        let length = Int(BigEndian.number(rest.prefix(2)))
        rest = rest.dropFirst(2)
        guard length > 0 else { return nil }
        guard rest.count >= length - 1 else { throw Unreadable() }
        defer { rest = rest.dropFirst(length - 1) }
        return String(decoding: rest.prefix(length - 1), as: UTF8.self)
    }
}

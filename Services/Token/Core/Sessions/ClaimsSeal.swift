import AccessTokens
import CryptoPrimitives
import InternalAPI
import StrictJSON

/// Seals a session's claims and keeps them small. They contain the phone number, and there is one copy for each session.
///
/// Plain form: version (8 bytes), then phone, e-mail and role, each as length + 1 (2 bytes) and UTF-8; a length field of 0 means
/// that there is none. An imported user's old id follows, then the mapped values and the metadata as JSON and the old server's token,
/// each only if it or one after it exists, so that the row of a user without them stays as short as it was.
struct ClaimsSeal: Sendable {
    /// The row cannot be decrypted with our keys, or is not one of ours.
    struct Unreadable: Error {}

    private static let textBytesMax = 1024
    /// More than user-service maps or sends of the metadata, with the quotes and names of the JSON.
    private static let jsonBytesMax = 8192
    private let seal: StorageSeal

    /// - Parameter ring: `token_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, use: .claims) }

    /// Seals the claims for the row of session `id`. The caller's contract refuses text beyond 1,024 bytes.
    func seal(_ claims: UserClaims, for id: SessionID) throws(StorageSeal.Failure) -> [UInt8] {
        var plain = BigEndian.bytes(UInt64(bitPattern: claims.version), count: 8)
        for text in [claims.phone, claims.email, claims.role] { plain += Self.field(text, bytesMax: Self.textBytesMax) }
        var more = [
            (claims.legacyID, Self.textBytesMax), (Self.json(claims.mapped), Self.jsonBytesMax),
            (Self.json(claims.metadata), Self.jsonBytesMax), (claims.previous, Self.textBytesMax),
        ]
        while let last = more.last, last.0 == nil { more.removeLast() }
        for (text, bytesMax) in more { plain += Self.field(text, bytesMax: bytesMax) }
        return try seal.seal(plain, context: id.bytes)
    }

    private static func field(_ text: String?, bytesMax: Int) -> [UInt8] {
        guard let text, text.utf8.count <= bytesMax else { return [0, 0] }
        return BigEndian.bytes(UInt64(text.utf8.count + 1), count: 2) + text.utf8
    }

    /// Returns the values as JSON, or `nil` if there are none or they cannot be written, as no value that was read from JSON is.
    private static func json(_ value: (some Encodable)?) -> String? {
        guard let value else { return nil }
        do { return String(decoding: try StrictJSON.encode(value), as: UTF8.self) } catch { return nil }
    }

    private static func value<Value: Decodable>(_ rest: inout ArraySlice<UInt8>) throws(Unreadable) -> Value? {
        guard !rest.isEmpty, let json = try text(&rest) else { return nil }
        do { return try StrictJSON.decode(Value.self, from: Array(json.utf8), limits: .own) } catch {
            throw Unreadable()
        }
    }

    func open(_ sealed: [UInt8], of id: SessionID) throws(Unreadable) -> UserClaims {
        guard let plain = seal.open(sealed, context: id.bytes), plain.count >= 8 else { throw Unreadable() }
        var rest = plain[8...]
        let phone = try Self.text(&rest)
        let email = try Self.text(&rest)
        guard let role = try Self.text(&rest) else { throw Unreadable() }
        let legacyID = rest.isEmpty ? nil : try Self.text(&rest)
        var claims = UserClaims(
            phone: phone, email: email, role: role, version: Int64(bitPattern: BigEndian.number(plain.prefix(8))),
            legacyID: legacyID, mapped: try Self.value(&rest), metadata: try Self.value(&rest))
        claims.previous = rest.isEmpty ? nil : try Self.text(&rest)
        return claims
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

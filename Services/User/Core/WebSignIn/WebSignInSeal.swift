import CryptoPrimitives
import StrictJSON

/// Seals what a browser carries between the steps of a sign-in, so that nothing of it is stored here. The browser, its history and
/// the provider can neither read nor change it.
struct WebSignInSeal: Sendable {
    /// The greatest length of a sealed text.
    static let textBytesMax = 4096

    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user web sign-in") }

    /// - Throws: `StorageSeal.Failure` if libcrypto fails.
    func seal<Content: WebSignInContent>(_ content: Content) throws -> String {
        Base64URL.encode(try seal.seal(try StrictJSON.encode(content), context: Self.context(Content.self)))
    }

    /// Returns the content, or `nil` if it was sealed elsewhere or for another use, or has expired.
    ///
    /// - Parameter now: Unix time in seconds.
    func open<Content: WebSignInContent>(_ type: Content.Type, _ text: String, now: Int64) -> Content? {
        guard text.utf8.count <= Self.textBytesMax, let sealed = Base64URL.decode(text),
            let bytes = seal.open(sealed, context: Self.context(type))
        else { return nil }
        do {
            let content = try StrictJSON.decode(type, from: bytes, limits: .own)
            return now < content.expiresAt ? content : nil
        } catch {
            // Sealed by another release.
            return nil
        }
    }

    private static func context<Content: WebSignInContent>(_ type: Content.Type) -> [UInt8] {
        Array("web sign-in \(type.kind)".utf8)
    }
}

/// A content of `WebSignInSeal`.
protocol WebSignInContent: Codable, Sendable {
    /// The kind, so that no content of one kind opens as another.
    static var kind: String { get }
    /// Unix time in seconds from which it is refused.
    var expiresAt: Int64 { get }
}

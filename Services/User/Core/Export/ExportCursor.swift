import CryptoPrimitives
import InternalAPI
import StrictJSON

/// The state of an export between two pages. The client has it sealed, so nothing is stored.
struct ExportCursor: Codable, Sendable, Equatable {
    /// How many seconds an export may take. Its pages need no further authentication in that time, and do not count.
    static let lifetimeSeconds: Int64 = 3_600

    let place: ExportPlace
    /// Unix time in seconds of the first page.
    let begunAt: Int64
}

/// Seals cursors, which only the session that began the export can use, or the operator.
struct ExportSeal: Sendable {
    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user export cursors") }

    /// - Parameter session: the session that exports, or `nil` for the operator.
    func seal(_ cursor: ExportCursor, of user: UserID, session: String?) throws -> String {
        Base64URL.encode(try seal.seal(try StrictJSON.encode(cursor), context: Self.context(user, session)))
    }

    /// Returns the cursor, or `nil` if it is forged or expired, or another session's.
    ///
    /// - Parameter now: Unix time in seconds.
    func open(_ text: String, of user: UserID, session: String?, now: Int64) -> ExportCursor? {
        guard text.utf8.count <= ExportRequest.cursorBytesMax,
            let bytes = Base64URL.decode(text).flatMap({ seal.open($0, context: Self.context(user, session)) })
        else { return nil }
        do {
            let cursor = try StrictJSON.decode(ExportCursor.self, from: bytes, limits: .own)
            return now < cursor.begunAt + ExportCursor.lifetimeSeconds ? cursor : nil
        } catch {
            // Sealed by another release.
            return nil
        }
    }

    private static func context(_ user: UserID, _ session: String?) -> [UInt8] {
        Array("export ".utf8) + user.bytes + Array((session.map { "session \($0)" } ?? "operator").utf8)
    }
}

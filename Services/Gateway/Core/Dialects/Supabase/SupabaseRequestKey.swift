import CryptoPrimitives
import EdgeHTTP
import InternalAPI
import Policies
import ServiceKit

/// The idempotency key that the dialect `supabase` makes for a request, since no client of it sends one.
///
/// A client that repeats a request whose response was lost sends the same bytes from the same network.
enum SupabaseRequestKey {
    /// How long the same request counts as a repeat.
    enum Repeats: Sendable {
        /// Ten seconds: no second message, but the person can ask for one soon.
        case messages
        /// For as long as the services recognise a call, the same session.
        case signIns
    }

    /// The parts of a request that its repeats have in common.
    struct Parts: Sendable {
        var path: String
        var query: String?
        var body: [UInt8]
        var bearer: [UInt8]
        var userAgent: String?
        /// The block of addresses that a client's next request may come from.
        var network: String
    }

    private static let use = "latchkey supabase-key v1"
    private static let messageSeconds: Int64 = 10

    /// Returns the key of a request.
    static func of(_ request: ClientRequest, _ repeats: Repeats) -> IdempotencyKey? {
        let head = request.head
        let parts = Parts(
            path: head.pathText, query: head.query, body: request.body,
            bearer: head.first(.authorization).map(Array.init) ?? [], userAgent: head.text("user-agent"),
            network: IPAddress(request.clientAddress)?.limitScopes.first?.block.description ?? request.clientAddress)
        return of(parts, repeats, now: UnixTime.seconds())
    }

    /// - Parameter now: Unix time in seconds.
    static func of(_ parts: Parts, _ repeats: Repeats, now: Int64) -> IdempotencyKey? {
        let window = repeats == .messages ? "\(now / messageSeconds)" : ""
        let fields: [[UInt8]] = [
            Array(use.utf8), Array(parts.path.utf8), Array((parts.query ?? "").utf8), parts.body, parts.bearer,
            Array((parts.userAgent ?? "").utf8), Array(parts.network.utf8), Array(window.utf8),
        ]
        // Each field follows its length, so that two different requests never yield the same bytes.
        let message = fields.flatMap { Array("\($0.count):".utf8) + $0 }
        return IdempotencyKey(Base64URL.encode(SHA256.hash(message)))
    }
}

import CryptoPrimitives
import EdgeHTTP

/// A file that stays the same while the process runs. A client that has a copy learns by its entity tag (RFC 9110 section 8.8.3)
/// that nothing has changed.
struct TaggedFile: Sendable {
    private static let ageSecondsMax = 300

    let mediaType: String
    let body: [UInt8]
    let entityTag: String

    init(_ mediaType: String, _ body: [UInt8]) {
        self.mediaType = mediaType
        self.body = body
        entityTag = "\"\(Hex.encode(Array(SHA256.hash(body).prefix(8))))\""
    }

    /// - Parameter known: the value of `If-None-Match`, or `nil`.
    func reply(knowing known: String?) -> Reply {
        let headers = [("ETag", entityTag), ("Cache-Control", "public, max-age=\(Self.ageSecondsMax)")]
        // In a list of tags, each may have the `W/` of a proxy that compressed the file.
        guard known?.contains(entityTag) != true, known != "*" else {
            return Reply(status: 304, headers: headers, body: [])
        }
        return Reply(
            status: 200, headers: [("Content-Type", mediaType), ("X-Content-Type-Options", "nosniff")] + headers,
            body: body)
    }
}

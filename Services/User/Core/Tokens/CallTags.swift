import CryptoPrimitives

/// Names calls by an HMAC over operation, `callID`, caller and body: with another of them it is another call.
struct CallTags: Sendable {
    private let key: HMACSHA256

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) {
        key = HMACSHA256(key: HKDF.derive(from: ring.signing.secret, info: "latchkey user call tags"))
    }

    /// - Parameters:
    ///   - path: the operation's.
    ///   - body: what of the request makes it this one; a password among it is safe under the key.
    func tag(_ path: String, callID: String, caller: UserID? = nil, body: [String]) -> CallTag {
        let parts = [path, callID, caller.map { Hex.encode($0.bytes) } ?? ""] + body
        // With its length before each part, so that no two lists of parts are the same bytes.
        let message = parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
        return CallTag(bytes: Array(key.authenticate(message).prefix(CallTag.byteCount)))
    }
}

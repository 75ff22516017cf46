import CryptoPrimitives

/// Identifies calls by an HMAC over operation, `callID`, user and body. If one of them differs, it is another call.
struct CallTags: Sendable {
    private let key: HMACSHA256

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) {
        key = HMACSHA256(key: HKDF.derive(from: ring.signing.secret, info: "latchkey user call tags"))
    }

    /// Computes the tag of a call.
    ///
    /// - Parameters:
    ///   - path: the operation's path.
    ///   - body: the parts that distinguish the request from others. A password among them is safe, since the HMAC has a key.
    func tag(_ path: String, callID: String, caller: UserID? = nil, body: [String]) -> CallTag {
        let parts = [path, callID, caller.map { Hex.encode($0.bytes) } ?? ""] + body
        // Each part follows its length, so that no two lists of parts have the same bytes.
        let message = parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
        return CallTag(bytes: Array(key.authenticate(message).prefix(CallTag.byteCount)))
    }
}

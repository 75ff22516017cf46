/// The names under which revocations stand in Redis (design section 5, *Revocation*).
///
/// token-service alone writes them; gateways read.
package enum RevocationFeed {
    /// Stream of revocations; an entry has the fields `kind` (`sid` or `kid`), `id`, `reason`, `until` (Unix seconds)
    /// or `kind: ver`, `id` (sid), `ver`, `until`, or `kind: keys` alone: the key set is to be fetched anew; or
    /// `kind: mark` alone: the list is complete.
    package static let log = "rev:log"
    /// `<n>:<redis run_id>` once the list is complete; missing or of another run while it is not.
    package static let generation = "rev:generation"
    /// The nonce of the rebuild under way.
    package static let rebuild = "rev:rebuild"
    package static let sessionKind = "sid"
    package static let keyKind = "kid"
    package static let keysKind = "keys"
    package static let versionKind = "ver"
    /// Written with the mark, so that the stream of a complete list is never empty: an empty one has lost something.
    package static let markKind = "mark"
    /// Entries kept in the stream; a gateway further behind loads all keys again.
    package static let logEntriesMax = 100_000

    /// Key of a revoked session; its value is the reason, its TTL that of the last access token.
    package static func session(_ sid: String) -> String { "rev:sid:\(sid)" }
    /// Key of a retired signing key.
    package static func key(_ kid: String) -> String { "rev:kid:\(kid)" }
    /// Key of the lowest `ver` that is good for a session.
    package static func version(_ sid: String) -> String { "rev:ver:\(sid)" }
}

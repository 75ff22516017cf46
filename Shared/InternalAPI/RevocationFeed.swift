/// The names of revocations in Redis (design section 5, *Revocation*).
///
/// Only token-service writes them; gateways read them.
package enum RevocationFeed {
    /// The stream of revocations. An entry has the fields `kind` (`sid` or `kid`), `id`, `reason`, `until` (Unix seconds);
    /// or `kind: ver`, `id` (sid), `ver`, `until`; or only `kind: keys`: the key set must be fetched again; or only `kind:
    /// mark`: the list is complete.
    package static let log = "rev:log"
    /// The mark of a complete list. While the list is incomplete, the mark is missing, has another form, or belongs to
    /// another run.
    package static let generation = "rev:generation"
    /// The sorted set of the keys of all revocations, by the Unix second in which they expire: the whole list, readable
    /// without a scan of the key space.
    package static let index = "rev:index"
    /// The nonce of the rebuild in progress.
    package static let rebuild = "rev:rebuild"
    package static let sessionKind = "sid"
    package static let keyKind = "kid"
    package static let keysKind = "keys"
    package static let versionKind = "ver"
    /// The entry that is written with the mark, so that the stream of a complete list is never empty: an empty stream has
    /// lost entries.
    package static let markKind = "mark"
    /// The number of entries kept in the stream; a gateway that is further behind loads all keys again.
    package static let logEntriesMax = 100_000

    /// Returns the mark of a complete list, `3:<n>:<run of Redis>`.
    package static func mark(_ number: Int64, runID: String) -> String { "\(markForm)\(number):\(runID)" }

    /// Whether `mark` states that the server `runID` has the whole list.
    package static func isComplete(mark: String?, runID: String) -> Bool {
        guard let mark, !runID.isEmpty, let number = number(ofMark: mark) else {
            return false
        }
        return mark == Self.mark(number, runID: runID)
    }

    /// Returns the number in a mark, `nil` in one of an earlier form; each rebuild raises it.
    package static func number(ofMark mark: String) -> Int64? {
        guard mark.hasPrefix(markForm) else { return nil }
        let rest = mark.dropFirst(markForm.count)
        return rest.firstIndex(of: ":").flatMap { Int64(rest[..<$0]) }
    }

    private static let markForm = "3:"

    /// The key of a revoked session. Its value is the reason; its TTL is that of the session's last access token.
    package static func session(_ sid: String) -> String { "rev:sid:\(sid)" }
    /// The key of a retired signing key.
    package static func key(_ kid: String) -> String { "rev:kid:\(kid)" }
    /// The key of the lowest `ver` that a session accepts.
    package static func version(_ sid: String) -> String { "rev:ver:\(sid)" }
}

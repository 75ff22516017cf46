/// The names under which revocations stand in Redis (design section 5, *Revocation*).
///
/// token-service alone writes them; gateways read.
package enum RevocationFeed {
    /// Stream of revocations; an entry has the fields `kind` (`sid` or `kid`), `id`, `reason`, `until` (Unix seconds)
    /// or `kind: ver`, `id` (sid), `ver`, `until`, or `kind: keys` alone: the key set is to be fetched anew; or
    /// `kind: mark` alone: the list is complete.
    package static let log = "rev:log"
    /// The mark, once the list is complete; missing, of another form or of another run while it is not.
    package static let generation = "rev:generation"
    /// Sorted set of the keys of all revocations, by the Unix second in which they end: the list as a whole, which no
    /// account has to look for in the key space.
    package static let index = "rev:index"
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

    /// The mark of a complete list, `2:<n>:<redis run_id>`; lists marked in the form before, `<n>:<redis run_id>`, have no
    /// index.
    package static func mark(_ number: Int64, runID: String) -> String { "\(markForm)\(number):\(runID)" }

    /// Whether `mark` says that the server `runID` has the whole list.
    package static func isComplete(mark: String?, runID: String) -> Bool {
        guard let mark, !runID.isEmpty, let number = number(ofMark: mark), mark.hasPrefix(markForm) else {
            return false
        }
        return mark == Self.mark(number, runID: runID)
    }

    /// The number in a mark of either form; each rebuild raises it.
    package static func number(ofMark mark: String) -> Int64? {
        let rest = mark.hasPrefix(markForm) ? mark.dropFirst(markForm.count) : mark[...]
        return rest.firstIndex(of: ":").flatMap { Int64(rest[..<$0]) }
    }

    private static let markForm = "2:"

    /// Key of a revoked session; its value is the reason, its TTL that of the last access token.
    package static func session(_ sid: String) -> String { "rev:sid:\(sid)" }
    /// Key of a retired signing key.
    package static func key(_ kid: String) -> String { "rev:kid:\(kid)" }
    /// Key of the lowest `ver` that is good for a session.
    package static func version(_ sid: String) -> String { "rev:ver:\(sid)" }
}

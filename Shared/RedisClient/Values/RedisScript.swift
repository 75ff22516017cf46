import CryptoPrimitives

/// A Lua script, loaded once and called by the SHA-1 of its source (`EVALSHA`), so that no account needs the right to run
/// any source with its keys (`EVAL`).
package struct RedisScript: Sendable {
    /// The Lua source.
    package let source: String
    /// The name under which Redis keeps the script: 40 lower-case hex digits.
    package let digest: String

    /// It writes nothing: it is called with `EVALSHA_RO`, for which reading its keys is right enough.
    let isReadOnly: Bool

    /// Keeps the source and computes its digest once.
    package init(_ source: String, isReadOnly: Bool = false) {
        self.source = source
        self.isReadOnly = isReadOnly
        digest = Hex.encode(SHA1.hash(Array(source.utf8)))
    }

    /// The command that calls the script by its digest.
    func callByDigest(keys: [String], arguments: [RedisArgument]) -> [RedisArgument] {
        var words: [RedisArgument] = []
        words.reserveCapacity(3 + keys.count + arguments.count)
        words += [isReadOnly ? "EVALSHA_RO" : "EVALSHA", .text(digest), RedisArgument(keys.count)]
        words += keys.lazy.map(RedisArgument.text)
        words += arguments
        return words
    }

    /// The command that makes Redis keep the script.
    var load: [RedisArgument] { ["SCRIPT", "LOAD", .text(source)] }
}

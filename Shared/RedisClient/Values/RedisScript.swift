/// A Lua script, called by the SHA-1 of its source (`EVALSHA`) so that the source crosses the wire only when unknown.
package struct RedisScript: Sendable {
    /// The Lua source.
    package let source: String
    /// The name under which Redis keeps the script: 40 lower-case hex digits.
    package let digest: String

    /// Keeps the source and computes its digest once.
    package init(_ source: String) {
        self.source = source
        digest = SHA1.hexDigest(of: Array(source.utf8))
    }

    /// The command that calls the script by its digest.
    func callByDigest(keys: [String], arguments: [RedisArgument]) -> [RedisArgument] {
        call("EVALSHA", .text(digest), keys, arguments)
    }

    /// The command that calls the script by its source, which also makes Redis keep it.
    func callBySource(keys: [String], arguments: [RedisArgument]) -> [RedisArgument] {
        call("EVAL", .text(source), keys, arguments)
    }

    private func call(
        _ command: RedisArgument, _ script: RedisArgument, _ keys: [String], _ arguments: [RedisArgument]
    ) -> [RedisArgument] {
        var words: [RedisArgument] = []
        words.reserveCapacity(3 + keys.count + arguments.count)
        words += [command, script, RedisArgument(keys.count)]
        words += keys.lazy.map(RedisArgument.text)
        words += arguments
        return words
    }
}

/// The name that Apple gives at a user's first sign-in only.
struct AppleName: Sendable {
    /// The name to send, and whether to keep it until the server has confirmed the sign-in.
    ///
    /// - Parameters:
    ///   - given: the name of this sign-in, empty at all but the first.
    ///   - kept: a name whose sign-in did not reach the server.
    static func choose(given: String?, kept: String?) -> (name: String?, isToKeep: Bool) {
        let trimmed = given?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        return trimmed.isEmpty ? (kept, false) : (trimmed, true)
    }
}

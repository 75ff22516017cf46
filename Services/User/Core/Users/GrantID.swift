import CryptoPrimitives

/// The id of the grant that a proof leads to.
enum GrantID {
    private static let timeDigitCount = 8

    /// Derives the grant's id from the proof's id, so that a proof opens one session however often it is resolved.
    ///
    /// The id is not secret and needs no key, since a grant's validity depends on its seal. It begins with the time, as the
    /// proof's id does, so that token-service stores grants of about the same time next to each other.
    static func derived(fromProof id: String) -> String {
        id.prefix(timeDigitCount) + Base64URL.encode(SHA256.hash(Array("latchkey:grant-id:\(id)".utf8)).prefix(24))
    }
}

import CryptoPrimitives

/// The id of the grant that a proof leads to.
enum GrantID {
    private static let timeDigitCount = 8

    /// Always the same for one proof, so that however often it is resolved one session can be opened with it.
    ///
    /// It is no secret and needs no key: what makes a grant good is its seal. It begins as the proof's does, with the
    /// time, so that what token-service keeps of grants that come together lies together.
    static func derived(fromProof id: String) -> String {
        id.prefix(timeDigitCount) + Base64URL.encode(SHA256.hash(Array("latchkey:grant-id:\(id)".utf8)).prefix(24))
    }
}

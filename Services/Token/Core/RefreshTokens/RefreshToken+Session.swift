import CryptoPrimitives

extension RefreshToken {
    /// Whether the token is, or once was, this session's: the present and the last one by their hashes, older ones by
    /// their tag, which no one else can make.
    func isOf(_ session: SessionRecord) -> Bool {
        guard locator == session.locator else { return false }
        if generation == session.generation { return constantTimeEqual(hash, session.currentHash) }
        if generation == session.generation - 1 { return constantTimeEqual(hash, session.previousHash) }
        return generation < session.generation
    }
}

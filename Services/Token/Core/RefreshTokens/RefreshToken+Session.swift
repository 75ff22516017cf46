import CryptoPrimitives

extension RefreshToken {
    /// Whether the token belongs, or once belonged, to this session. The current and the previous token are recognised by their
    /// hashes, older ones by their tag, which only our keys can make.
    func isOf(_ session: SessionRecord) -> Bool {
        guard locator == session.locator else { return false }
        if generation == session.generation { return constantTimeEqual(hash, session.currentHash) }
        if generation == session.generation - 1 { return constantTimeEqual(hash, session.previousHash) }
        return generation < session.generation
    }
}

import CryptoPrimitives
import InternalAPI

/// The search for a session's newest token from one that its page had before.
///
/// Each step is a refresh by the page's key under one of the server's keys. A chain changes from one server key to the other when
/// they are rotated, so the chains with the fewest changes are tried first.
struct TokenChain {
    /// The greatest number of rotations between the two tokens.
    static let stepsMax: Int64 = 1_024
    /// The greatest number of tokens that one search makes, which bounds its time to some milliseconds.
    private static let tokensMax = 4 * Int(stepsMax)

    private let keys: [RefreshTokenKey]
    private let page: PageKey
    private let hash: [UInt8]
    private var tokensLeft = Self.tokensMax

    private init(_ keys: RefreshTokenKeys, _ page: PageKey, hash: [UInt8]) {
        (self.keys, self.page, self.hash) = (keys.accepted, page, hash)
    }

    /// Returns the token with the hash `hash` that follows `token` after `steps` rotations, or `nil` if it is not found.
    static func token(
        _ steps: Int64, after token: RefreshToken, by page: PageKey, keys: RefreshTokenKeys, hash: [UInt8]
    ) -> RefreshToken? {
        guard (1...stepsMax).contains(steps) else { return nil }
        var chain = TokenChain(keys, page, hash: hash)
        let changesMax = keys.accepted.count > 1 ? steps - 1 : 0
        for changes in 0...changesMax where chain.tokensLeft > 0 {
            for index in chain.keys.indices {
                if let found = chain.token(steps, after: token, keyIndex: index, changes: changes) { return found }
            }
        }
        return nil
    }

    /// Follows the chains that begin with one server key and change it `changes` times.
    private mutating func token(
        _ steps: Int64, after token: RefreshToken, keyIndex: Int, changes: Int64
    ) -> RefreshToken? {
        var (token, stepsLeft) = (token, steps)
        while stepsLeft > changes {
            guard let next = successor(of: token, keyIndex: keyIndex) else { return nil }
            (token, stepsLeft) = (next, stepsLeft - 1)
            guard changes > 0 else { continue }
            let other = keys.count - 1 - keyIndex
            if let found = self.token(stepsLeft, after: token, keyIndex: other, changes: changes - 1) { return found }
        }
        return stepsLeft == 0 && constantTimeEqual(token.hash, hash) ? token : nil
    }

    private mutating func successor(of token: RefreshToken, keyIndex: Int) -> RefreshToken? {
        guard tokensLeft > 0, let key = page.idempotencyKey(for: token) else { return nil }
        tokensLeft -= 1
        return keys[keyIndex].successor(of: token, seed: key.bytes)
    }
}

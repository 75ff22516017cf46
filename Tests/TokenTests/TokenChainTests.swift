import CryptoPrimitives
import InternalAPI
import TestSupport
import Testing

@testable import TokenCore

/// The way from a page's earlier token to its newest one.
@Suite struct TokenChainTests {
    private let page = PageKey(secret: Array(0..<32), prefix: "rt_")
    private let both: RefreshTokenKeys
    private let old: RefreshTokenKeys
    private let first: RefreshToken

    init() throws {
        let lines = TokenFixture.lines(2)
        both = RefreshTokenKeys(ring: try TokenFixture.ring(lines))
        old = RefreshTokenKeys(ring: try TokenFixture.ring([lines[1]]))
        first = old.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 1, count: 16))
    }

    /// Rotates `token`, once with each of the keys.
    private func rotated(_ token: RefreshToken, _ keys: [RefreshTokenKey], by page: PageKey? = nil) -> RefreshToken {
        keys.reduce(token) { token, key in
            key.successor(of: token, seed: (page ?? self.page).idempotencyKey(for: token)?.bytes ?? [])
        }
    }

    private func found(_ steps: Int64, _ newest: RefreshToken, _ keys: RefreshTokenKeys? = nil) -> RefreshToken? {
        TokenChain.token(steps, after: first, by: page, keys: keys ?? both, hash: newest.hash)
    }

    @Test func `the key of a refresh is the HMAC of its token under the page's secret`() throws {
        let token = RefreshToken(bytes: [UInt8](repeating: 0xFF, count: 32), locator: 0, generation: 0)
        let expected = Base64URL.encode(
            HMACSHA256(key: Array(0..<32)).authenticate(Array(("rt_" + String(repeating: "f", count: 64)).utf8)))
        #expect(page.idempotencyKey(for: token)?.text == expected)
        #expect(PageKey(secret: Array(0..<32), prefix: "").idempotencyKey(for: token)?.text != expected)
    }

    @Test(arguments: [1, 2, 19, 1_024]) func `the newest token is found`(steps: Int) {
        let newest = rotated(first, Array(repeating: old.newest, count: steps))
        #expect(found(Int64(steps), newest, old) == newest)
        #expect(found(Int64(steps), newest) == newest)
    }

    @Test func `beyond 1,024 steps, and for none, nothing is searched`() {
        let newest = rotated(first, Array(repeating: old.newest, count: 1_025))
        #expect(found(1_025, newest) == nil)
        #expect(found(0, first) == nil && found(-1, first) == nil)
    }

    @Test(arguments: 1..<40) func `the server key may change at any step`(steps: Int) {
        for change in 0...steps {
            let keys = (0..<steps).map { $0 < change ? old.newest : both.newest }
            let newest = rotated(first, keys)
            #expect(found(Int64(steps), newest) == newest)
        }
    }

    @Test func `processes that have the new key one after the other may alternate for a few steps`() {
        for choice in 0..<256 {
            let newest = rotated(first, (0..<8).map { choice >> $0 & 1 == 0 ? old.newest : both.newest })
            #expect(found(8, newest) == newest)
        }
    }

    @Test func `a chain by another secret, by other steps or to another token is not found, in bounded time`() {
        let other = PageKey(secret: Array(1...32), prefix: "rt_")
        #expect(found(5, rotated(first, Array(repeating: old.newest, count: 5), by: other)) == nil)
        #expect(found(5, rotated(first, Array(repeating: old.newest, count: 4))) == nil)
        let seconds = processorTime {
            for steps in [2, 12, 100, 1_024] as [Int64] { #expect(found(steps, first) == nil) }
        }
        #expect(seconds < 2)
    }
}

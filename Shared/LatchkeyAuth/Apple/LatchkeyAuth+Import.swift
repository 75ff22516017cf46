#if canImport(Security)
import Foundation
import Security

extension LatchkeyAuth {
    /// Takes over the session that an earlier release of this app has stored, so that an update signs no user out.
    ///
    /// Call it after creating the session, at each start. The earlier items are erased once the session is stored under this
    /// library's own name, or if they are of no use.
    ///
    /// - Parameters:
    ///   - items: where the earlier release has stored its tokens. The server must know the refresh token.
    ///   - isUpdate: whether this installation had the earlier release. Only the app can know it: by a file, such as its
    ///     database, that the earlier release wrote and that is removed with the app. The Keychain outlives the app, so without
    ///     that proof the items may be another person's, and are erased.
    /// - Returns: whether a session was taken over.
    @discardableResult
    public func takeOver(_ items: EarlierItems, isUpdate: Bool) async throws(AuthError) -> Bool {
        let earlier = EarlierKeychain(items)
        switch ImportRule.decide(state, refreshToken: earlier.read(items.refreshToken), isUpdate: isUpdate) {
        case .nothing, .wait: return false
        case .erase:
            earlier.erase()
            return false
        case .adopt: break
        }
        guard let refreshToken = earlier.text(items.refreshToken), let accessToken = earlier.text(items.accessToken),
            let userID = ImportRule.subject(of: accessToken)
        else { return false }
        try await adopt(refreshToken, of: userID)
        earlier.erase()
        return true
    }

    /// Makes a session of a refresh token. It is renewed when a token is wanted.
    private func adopt(_ refreshToken: String, of userID: String) async throws(AuthError) {
        let record = SessionRecord(
            origin: engine.api.baseURL.text, version: StoreVersion(epoch: 1, generation: 1),
            secret: RandomBytes.token(), refreshToken: refreshToken, accessToken: nil,
            issuedAt: configuration.clock.wall.unixSeconds, expiresIn: 1, userID: userID, user: nil)
        try await engine.takeOver(record)
    }
}

/// The items of an earlier release, by the names that it used.
private struct EarlierKeychain {
    private let items: EarlierItems

    init(_ items: EarlierItems) { self.items = items }

    func read(_ account: String) -> KeychainReading {
        Keychain(service: items.service, group: nil, accessible: "").read(account)
    }

    func text(_ account: String) -> String? {
        guard case .found(let item) = read(account) else { return nil }
        return String(data: item.data, encoding: .utf8)
    }

    func erase() {
        for account in [items.refreshToken, items.accessToken] + items.others {
            _ = Keychain(service: items.service, group: nil, accessible: "").delete(account)
        }
    }
}
#endif

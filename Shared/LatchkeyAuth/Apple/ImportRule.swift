import Foundation

/// Decides what happens to an item that an earlier release of the app has stored.
enum ImportRule {
    enum Step: Sendable, Equatable {
        /// There is no such item.
        case nothing
        /// The item or the session cannot be read now. The next start decides.
        case wait
        /// The item is of no use any more.
        case erase
        /// The item's refresh token becomes the session.
        case adopt
    }

    /// Decides on the next step.
    ///
    /// - Parameters:
    ///   - state: the session's state.
    ///   - refreshToken: the earlier item.
    ///   - isUpdate: whether the app has shown that this installation is the earlier one's update. After a reinstallation old
    ///     tokens are not to be used.
    static func decide(_ state: State, refreshToken: KeychainReading, isUpdate: Bool) -> Step {
        switch (state, refreshToken) {
        case (.starting, _), (.unavailable, _), (_, .failed): .wait
        case (_, .absent): .nothing
        // A session that began here is newer than the earlier item, even if it has ended since.
        case (.signedIn, _), (.signedOut(.some), _), (_, .damaged): .erase
        case (.signedOut(nil), .found): isUpdate ? .adopt : .erase
        }
    }

    /// The subject of a JSON Web Token, which is the user's id. The token is not verified: its item was written by this app.
    static func subject(of accessToken: String) -> String? {
        let parts = accessToken.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])) else { return nil }
        guard let subject = JSONText.decode(Data(payload))?.members?["sub"]?.text, !subject.isEmpty else { return nil }
        return subject
    }
}

/// The names under which an earlier release of the app has stored its tokens in the Keychain, as generic passwords.
public struct EarlierItems: Sendable, Equatable {
    /// The account of the refresh token.
    public var refreshToken: String
    /// The account of the access token. The user's id is read from it.
    public var accessToken: String
    /// Accounts of further items, which are erased with the tokens.
    public var others: [String] = []
    /// The service; `nil` if the app named none. Then items of any service are meant, as in that app's own code.
    public var service: String?

    public init(refreshToken: String, accessToken: String, others: [String] = [], service: String? = nil) {
        self.refreshToken = refreshToken
        self.accessToken = accessToken
        self.others = others
        self.service = service
    }

    /// The items of howru's document.
    public static let howru = EarlierItems(
        refreshToken: "com.howru.refreshToken", accessToken: "com.howru.accessToken")
    /// The items of aarokya's document.
    public static let aarokya = EarlierItems(
        refreshToken: "aarokya_refresh_token", accessToken: "aarokya_access_token")
    /// The items of voltyks' document.
    public static let voltyks = EarlierItems(
        refreshToken: "refreshToken", accessToken: "accessToken", others: ["accessTokenExpiry", "refreshTokenExpiry"])
}

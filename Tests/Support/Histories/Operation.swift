import CryptoPrimitives

/// One thing that a client did, as that client saw it; times are since the history began, on the monotonic clock.
package struct Operation: Sendable {
    /// The kind of request.
    package enum Kind: String, Sendable {
        case signIn, refresh
        /// A request that a session's access token opens.
        case call
        /// The end of one session: logout, or one device of the list.
        case endSession
        /// The end of all sessions that the user had then: sign out everywhere, deactivation, deletion.
        case endUser
        /// A code presented for a challenge without opening a session.
        case guess
        /// A new password of the user, authorised by the old one or by a link; it revokes all of the user's sessions but at
        /// most one.
        case setPassword
        /// Users of another system, some at once.
        case moveIn
    }

    /// The cookies that come with the token of a page's session.
    package enum PageCookies: Sendable {
        /// Both, so that the page has shown its secret.
        case both
        /// The refresh cookie without the page cookie of its session.
        case one
    }

    package var kind: Kind
    package var client = 0
    /// The session whose token is presented, or that is to end.
    package var session: String?
    package var user: String?
    /// The identifier of the presented code or link; those of one mail are one challenge.
    package var challenge: String?
    /// The refresh or access token that is presented.
    package var presented: TokenDigest?
    package var idempotencyKey: String?
    /// nil: the session is an app's.
    package var cookies: PageCookies?
    /// By which a sign-in was made, or that a user has from now on.
    package var password: TokenDigest?
    /// Names the mailed link by which a password is set.
    package var link: String?
    /// The session that another password leaves alive.
    package var sparedSession: String?
    package var invoked: Duration
    /// nil: no answer came; the operation may have happened, then or later, or not at all.
    package var completed: Duration?
    package var outcome = Outcome.unknown

    package init(_ kind: Kind, invoked: Duration = .zero) {
        self.kind = kind
        self.invoked = invoked
    }
}

/// The outcome for the client.
package enum Outcome: Sendable, Equatable {
    /// No answer, or one that does not say what happened (5xx).
    case unknown
    /// Tokens: of a sign-in or a refresh.
    case issued(Issue)
    /// 2xx of a call, an end or a right guess.
    case accepted
    /// 401 or 403: the credential is bad.
    case refused
    /// A code that was compared and is wrong.
    case wrongCode
    /// 429: nothing was done.
    case limited
    /// The new ids of users by their old ones, whether they came now or were there before.
    case movedIn([String: String])

    /// Creates the outcome for a credential from the response's status only.
    package init(status: Int) {
        switch status {
        case 200..<300: self = .accepted
        case 401, 403: self = .refused
        case 429: self = .limited
        default: self = .unknown
        }
    }

    /// The tokens, if there are any.
    package var issue: Issue? { if case .issued(let issue) = self { issue } else { nil } }
    /// Whether the client was told that it has got what it wanted.
    package var isSuccess: Bool { self == .accepted || issue != nil }
}

/// The tokens of an answer.
package struct Issue: Sendable, Equatable {
    package var session: String
    package var refreshToken: TokenDigest
    package var accessToken: TokenDigest

    package init(session: String, refreshToken: TokenDigest, accessToken: TokenDigest) {
        self.session = session
        self.refreshToken = refreshToken
        self.accessToken = accessToken
    }
}

/// Stands for a token in a history, which keeps no secrets.
package struct TokenDigest: Hashable, Sendable, CustomStringConvertible {
    private static let byteCount = 8

    package let description: String

    package init(of token: String) {
        description = Hex.encode(SHA256.hash(Array(token.utf8)).prefix(Self.byteCount))
    }
}

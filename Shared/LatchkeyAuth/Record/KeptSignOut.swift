/// A sign-out that the server has not confirmed yet, as it is stored.
///
/// It renews nothing: it has the access token of the session that ended, or the refresh token where there was none.
struct KeptSignOut: Sendable, Equatable {
    let token: Token
    /// Whether it ends all sessions of the user.
    var isEverywhere = false
    /// The date of the sign-out, in Unix seconds of the device. It tells those that are kept apart.
    let since: Int64

    /// The token that names the session.
    enum Token: Sendable, Equatable {
        case access(String)
        case refresh(String)
    }
}

extension KeptSignOut {
    /// A sign-out as it is stored, or `nil` if it has no token or no date.
    init?(_ json: JSONValue) {
        guard let members = json.members, let since = members["since"]?.whole, Self.dates.contains(since) else {
            return nil
        }
        let access = members["accessToken"]?.text.map(Token.access)
        guard let token = access ?? members["refreshToken"]?.text.map(Token.refresh) else { return nil }
        self.init(token: token, isEverywhere: members["scope"]?.text == Self.everywhere, since: since)
    }

    var json: JSONValue {
        var members: [String: JSONValue] = ["since": .integer(since)]
        switch token {
        case .access(let token): members["accessToken"] = .string(token)
        case .refresh(let token): members["refreshToken"] = .string(token)
        }
        if isEverywhere { members["scope"] = .string(Self.everywhere) }
        return .object(members)
    }

    /// The dates that are believed, in Unix seconds.
    private static let dates: ClosedRange<Int64> = 0...1 << 40

    /// The scope of a sign-out that ends all sessions, as the server and the store name it.
    static let everywhere = "all"
}

/// Prints no token.
extension KeptSignOut: CustomStringConvertible, CustomReflectable {
    var description: String { "KeptSignOut(\(since))" }
    var customMirror: Mirror { Mirror(self, children: ["since": since]) }
}

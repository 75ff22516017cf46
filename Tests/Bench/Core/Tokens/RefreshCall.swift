/// A refresh as a dialect spells it.
package struct RefreshCall: Sendable, Equatable {
    package static let native = RefreshCall(dialect: "native", path: "/auth/refresh", member: "refreshToken")
    package static let aarokya = RefreshCall(dialect: "aarokya", path: "/auth/token/refresh", member: "refresh_token")

    /// As policies and sessions name it.
    package let dialect: String
    package let path: String
    /// Of the token that is spent, and of its successor in the answer.
    package let member: String
}

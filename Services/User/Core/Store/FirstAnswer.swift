/// The first response to a call. It is stored so that every replica repeats it.
package struct FirstAnswer: Sendable, Equatable {
    package let call: CallTag
    /// The response, as JSON.
    package let answer: [UInt8]
    /// The user that the response concerns; it is removed with the user. `nil` if it concerns no user.
    package let user: UserID?
    /// Whether the operation revoked the user's sessions.
    package let endsSessions: Bool
    /// Unix time in seconds from which on the same key identifies a new call.
    package let expiresAt: Int64

    package init(call: CallTag, answer: [UInt8], user: UserID?, endsSessions: Bool, expiresAt: Int64) {
        self.call = call
        self.answer = answer
        self.user = user
        self.endsSessions = endsSessions
        self.expiresAt = expiresAt
    }
}

/// Identifies a call of one client with one body, and reveals nothing of either.
package struct CallTag: Sendable, Hashable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

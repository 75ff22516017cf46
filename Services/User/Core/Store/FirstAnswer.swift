/// The first response to a call, kept so that every replica repeats it.
package struct FirstAnswer: Sendable, Equatable {
    package let call: CallTag
    /// As JSON.
    package let answer: [UInt8]
    /// The user whom it is about, and with whom it is removed; `nil` if it is about no user.
    package let user: UserID?
    /// Whether the operation ended the user's sessions.
    package let endsSessions: Bool
    /// Unix time in seconds from which the call's key begins another call.
    package let expiresAt: Int64

    package init(call: CallTag, answer: [UInt8], user: UserID?, endsSessions: Bool, expiresAt: Int64) {
        self.call = call
        self.answer = answer
        self.user = user
        self.endsSessions = endsSessions
        self.expiresAt = expiresAt
    }
}

/// Names a call of one caller with one body; reveals nothing of either.
package struct CallTag: Sendable, Hashable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

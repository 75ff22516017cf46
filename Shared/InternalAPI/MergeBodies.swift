/// Merges the account to which a merge token belongs into the bearer's.
package struct MergeRequest: Codable, Sendable, Equatable {
    /// The token of `AccountAnswer`.
    package var mergeToken: String
    /// Whether the other account's phone number replaces the bearer's; `nil` means it does not.
    package var keepsOtherPhone: Bool?
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(mergeToken: String, keepsOtherPhone: Bool? = nil, callID: String) {
        self.mergeToken = mergeToken
        self.keepsOtherPhone = keepsOtherPhone
        self.callID = callID
    }
}

/// Merges the account to which a merge token belongs into the bearer's.
package struct MergeRequest: Codable, Sendable, Equatable {
    /// The token of `AccountAnswer`.
    package var mergeToken: String
    /// Whether the other account's phone number replaces the bearer's; `nil` means it does not.
    package var keepsOtherPhone: Bool?
    /// A further proof of the other account: a code for one of its identities, its password, or a token of its provider.
    package var proof: ReauthenticateRequest?
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(
        mergeToken: String, keepsOtherPhone: Bool? = nil, proof: ReauthenticateRequest? = nil, callID: String
    ) {
        self.mergeToken = mergeToken
        self.keepsOtherPhone = keepsOtherPhone
        self.proof = proof
        self.callID = callID
    }
}

/// Requests a code for `MergeRequest` to an identity of the other account.
package struct MergeCodeRequest: Codable, Sendable, Equatable {
    package var mergeToken: String
    /// The recipient is the other account's phone number or email address.
    package var code: ReauthenticationCodeRequest

    package init(mergeToken: String, code: ReauthenticationCodeRequest) {
        self.mergeToken = mergeToken
        self.code = code
    }
}

/// Merges the account to which a merge token belongs into the bearer's.
package struct MergeRequest: Codable, Sendable, Equatable {
    /// The token of `AccountAnswer`.
    package var mergeToken: String
    /// Whether the other account's phone number replaces the bearer's; `nil` means it does not.
    package var keepsOtherPhone: Bool?
    /// A further proof of the other account: a code for one of its identities, its password, or a token of its provider.
    package var proof: ReauthenticateRequest?
    /// Whether the merge waits if it needs a further proof that the request does not have; `nil` means that it is refused.
    package var waits: Bool?
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(
        mergeToken: String, keepsOtherPhone: Bool? = nil, proof: ReauthenticateRequest? = nil, waits: Bool? = nil,
        callID: String
    ) {
        self.waits = waits
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

/// A merge of the bearer's account and another one that waits, and to which both users may object.
package struct PendingMerge: Codable, Sendable, Equatable {
    /// Unix time in seconds of the merge.
    package var movesAt: Int64
    /// Whether the bearer's account becomes a part of the other one; otherwise it is the one that stays.
    package var intoAnother: Bool

    package init(movesAt: Int64, intoAnother: Bool) {
        self.movesAt = movesAt
        self.intoAnother = intoAnother
    }
}

/// Operations of user-service on passkeys.
package enum PasskeyOperations {
    package static let begin = InternalOperation<BeginPasskeyRequest, PasskeyOptionsAnswer, InvalidRequestOnly>(
        .post, "/internal/passkeys/begin", from: [.gateway])
    package static let prove = InternalOperation<PasskeyProofRequest, IdentityTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/passkeys/prove", from: [.gateway])

    package static let listOwn = InternalOperation<NoBody, OwnPasskeys, BearerRefusal>(
        .get, "/internal/passkeys/own", from: [.gateway], onBehalfOfBearer: true)
    package static let beginOwn = InternalOperation<
        BeginOwnPasskeyRequest, PasskeyOptionsAnswer, IdentityChangeRefusal
    >(.post, "/internal/passkeys/own/begin", from: [.gateway], onBehalfOfBearer: true)
    package static let addOwn = InternalOperation<AddPasskeyRequest, AccountAnswer, IdentityChangeRefusal>(
        .post, "/internal/passkeys/own/add", from: [.gateway], onBehalfOfBearer: true)
    package static let renameOwn = InternalOperation<RenamePasskeyRequest, AccountAnswer, BearerBodyRefusal>(
        .post, "/internal/passkeys/own/rename", from: [.gateway], onBehalfOfBearer: true)
    package static let removeOwn = InternalOperation<RemovePasskeyRequest, AccountAnswer, IdentityChangeRefusal>(
        .post, "/internal/passkeys/own/remove", from: [.gateway], onBehalfOfBearer: true)
    /// Options for a step-up of the bearer's session (`ReauthenticateRequest.passkey`), with the user's own credentials.
    package static let beginStepUp = InternalOperation<NoBody, PasskeyOptionsAnswer, BearerRefusal>(
        .post, "/internal/passkeys/own/step-up", from: [.gateway], onBehalfOfBearer: true)
}

/// Operations on passkeys for the operator.
extension PasskeyOperations {
    package static let list = InternalOperation<PasskeySelection, PasskeyPage, UserRefusal>(
        .post, "/internal/control/passkeys/list", from: [.control], timeLimit: TimeLimit.ofOperators)
    /// Removes the next selected passkeys, and returns them.
    package static let remove = InternalOperation<PasskeySelection, PasskeyPage, UserRefusal>(
        .post, "/internal/control/passkeys/remove", from: [.control], timeLimit: TimeLimit.ofOperators)
}

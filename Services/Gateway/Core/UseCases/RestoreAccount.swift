/// Cancels the deletion of an account and opens a session. user-service accepts the restore token like the proof of the sign-in
/// that it continues.
struct RestoreAccount: Sendable {
    let open: OpenSession

    func callAsFunction(
        _ restoreToken: String, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        try await open(
            attestation: restoreToken, wishes, key: try call.idempotencyKey(), refusing: .invalidSignIn, call)
    }
}

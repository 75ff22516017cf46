/// Operations of user-service on identities that others' tokens prove: accounts at Apple and OpenID Connect providers, and phone
/// numbers.
package enum IdentityOperations {
    package static let prove = InternalOperation<IdentityTokenRequest, IdentityTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/prove", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens,
        repeats: .harmless)
    package static let provePhone = InternalOperation<PhoneTokenRequest, PhoneTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/prove-phone", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens,
        repeats: .harmless)
    /// Receives a notification of Apple's about one of its accounts.
    package static let noteApple = InternalOperation<
        AppleNotification, AppleNotificationAnswer, InvalidRequestOnly
    >(
        .post, "/internal/identities/apple", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens,
        repeats: .harmless)
}

import InternalAPI

/// Passes Apple's notification to user-service, which checks whether it is one.
struct TakeAppleNotification: Sendable {
    let user: ServiceClient

    func callAsFunction(_ notification: AppleNotification, _ call: ClientCall) async throws(Refusal) {
        guard case .answer(let answer) = try await user.ask(IdentityOperations.noteApple, notification, for: call)
        else { throw .forgedWebhook }
        switch answer.result {
        case .noted: return
        case .forged: throw .forgedWebhook
        case .off: throw .notFound
        }
    }
}

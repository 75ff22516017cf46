extension RedisRequest {
    /// Submits the request and waits until it is complete; cancellation of the task completes it at once.
    func outcome(submittedBy submit: (RedisRequest) -> Void) async -> Outcome {
        // Redis skips an empty command without a reply, which would shift all later ones.
        guard !commands.contains(where: \.isEmpty) else {
            return .failure(RedisError(.protocolViolation, "a command has no words"))
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if start({ continuation.resume(returning: $0) }) { submit(self) }
            }
        } onCancel: {
            cancel()
        }
    }
}

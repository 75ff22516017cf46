extension RedisRequest {
    /// Submits the request and waits until it is complete; cancellation of the task completes it at once.
    func outcome(submittedBy submit: (RedisRequest) -> Void) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if start({ continuation.resume(returning: $0) }) { submit(self) }
            }
        } onCancel: {
            cancel()
        }
    }
}

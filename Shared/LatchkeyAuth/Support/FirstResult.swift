/// The first of several results that arrive, for one reader.
///
/// A task group would wait for the slower ones too, such as a transport that does not notice that it was cancelled.
final class FirstResult<Value: Sendable>: Sendable {
    private struct Content: Sendable {
        var result: Result<Value, any Error>?
        var reader: CheckedContinuation<Result<Value, any Error>, Never>?
    }
    private let content = Locked(Content())

    /// Takes a result, unless there is one already.
    func finish(_ result: Result<Value, any Error>) {
        let reader = content.withLock { content in
            guard content.result == nil else { return CheckedContinuation<Result<Value, any Error>, Never>?.none }
            content.result = result
            return content.reader
        }
        reader?.resume(returning: result)
    }

    /// Waits for the first result; a cancelled reader gets `CancellationError`.
    var value: Value {
        get async throws {
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { reader in
                    let result = content.withLock { content in
                        content.reader = reader
                        return content.result
                    }
                    if let result { reader.resume(returning: result) }
                }
            } onCancel: {
                finish(.failure(CancellationError()))
            }
            return try result.get()
        }
    }
}

/// The calls that are under way, by their names, such as sign-ins by their proofs.
///
/// It makes two calls with one name one call: a double tap, or a link that the system delivers twice.
final class CallsUnderWay<Value: Sendable>: Sendable {
    private let attempts = Locked<[String: Attempt]>([:])

    private struct Attempt: Sendable {
        let task: Task<Void, Never>
        var callers: [FirstResult<Value>]
    }

    /// Runs a call, or waits for the one with this name. It is cancelled if the tasks of all its callers are.
    func once(
        _ name: String, _ work: @escaping @Sendable () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let caller = FirstResult<Value>()
        attempts.withLock { attempts in
            attempts[name, default: Attempt(task: begin(name, work), callers: [])].callers.append(caller)
        }
        do {
            return try await caller.value
        } catch {
            if error is CancellationError { leave(name, caller) }
            throw AuthError(transport: error)
        }
    }

    /// Cancels a call for all its callers.
    func cancel(_ name: String) {
        guard let attempt = attempts.withLock({ $0.removeValue(forKey: name) }) else { return }
        attempt.task.cancel()
        for caller in attempt.callers { caller.finish(.failure(AuthError.cancelled)) }
    }

    /// Begins a call. The lock is held until it is among the attempts, so it cannot end before.
    private func begin(
        _ name: String, _ work: @escaping @Sendable () async throws(AuthError) -> Value
    ) -> Task<Void, Never> {
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            // A call that all callers have left may have a successor.
            guard !Task.isCancelled else { return }
            for caller in attempts.withLock({ $0.removeValue(forKey: name)?.callers ?? [] }) { caller.finish(result) }
        }
    }

    private func leave(_ name: String, _ caller: FirstResult<Value>) {
        let left = attempts.withLock { attempts -> Task<Void, Never>? in
            guard var attempt = attempts[name], attempt.callers.contains(where: { $0 === caller }) else { return nil }
            attempt.callers.removeAll { $0 === caller }
            attempts[name] = attempt.callers.isEmpty ? nil : attempt
            return attempt.callers.isEmpty ? attempt.task : nil
        }
        left?.cancel()
    }
}

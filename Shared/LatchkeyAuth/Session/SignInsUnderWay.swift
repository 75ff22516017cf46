/// The sign-ins that are under way, by their proofs.
///
/// It makes two calls with one proof one call: a double tap, or a link that the system delivers twice.
final class SignInsUnderWay: Sendable {
    private let attempts = Locked<[String: Attempt]>([:])

    private struct Attempt: Sendable {
        let task: Task<Void, Never>
        var callers: [FirstResult<SignIn>]
    }

    /// Runs a sign-in, or waits for the one with this proof. It is cancelled if the tasks of all its callers are.
    func once(
        _ proof: String, _ signIn: @escaping @Sendable () async throws(AuthError) -> SignIn
    ) async throws(AuthError) -> SignIn {
        let caller = FirstResult<SignIn>()
        attempts.withLock { attempts in
            attempts[proof, default: Attempt(task: begin(proof, signIn), callers: [])].callers.append(caller)
        }
        do {
            return try await caller.value
        } catch {
            if error is CancellationError { leave(proof, caller) }
            throw AuthError(transport: error)
        }
    }

    /// Cancels a sign-in for all its callers.
    func cancel(_ proof: String) {
        guard let attempt = attempts.withLock({ $0.removeValue(forKey: proof) }) else { return }
        attempt.task.cancel()
        for caller in attempt.callers { caller.finish(.failure(AuthError.cancelled)) }
    }

    /// Begins a sign-in. The lock is held until it is among the attempts, so it cannot end before.
    private func begin(
        _ proof: String, _ signIn: @escaping @Sendable () async throws(AuthError) -> SignIn
    ) -> Task<Void, Never> {
        Task {
            let result: Result<SignIn, any Error>
            do { result = .success(try await signIn()) } catch { result = .failure(error) }
            // A sign-in that all callers have left may have a successor.
            guard !Task.isCancelled else { return }
            for caller in attempts.withLock({ $0.removeValue(forKey: proof)?.callers ?? [] }) { caller.finish(result) }
        }
    }

    private func leave(_ proof: String, _ caller: FirstResult<SignIn>) {
        let left = attempts.withLock { attempts -> Task<Void, Never>? in
            guard var attempt = attempts[proof], attempt.callers.contains(where: { $0 === caller }) else { return nil }
            attempt.callers.removeAll { $0 === caller }
            attempts[proof] = attempt.callers.isEmpty ? nil : attempt
            return attempt.callers.isEmpty ? attempt.task : nil
        }
        left?.cancel()
    }
}

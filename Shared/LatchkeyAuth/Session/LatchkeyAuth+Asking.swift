/// Lets the app's user show again who they are, before what a session alone must not do.
extension LatchkeyAuth {
    /// The app's part: it throws if the user does not want to.
    typealias AskingPart = @Sendable () async throws -> Void

    /// Sets what lets the user show again who they are, by ``reauthenticate(_:channel:)`` or its sisters.
    ///
    /// Calls that need this wait for it and are sent again, once. If it throws, they fail as they would without it.
    public func onReauthenticate(_ body: @escaping @Sendable () async throws -> Void) {
        askingPart.withLock { $0 = body }
    }

    /// Returns another access token in place of one with which the user showed too long ago who they are: an API has answered 401
    /// with `insufficient_user_authentication`, or 403 with `reauthentication_required`.
    ///
    /// Lets the user show again who they are, as ``onReauthenticate(_:)`` says.
    ///
    /// - Throws: ``AuthError/reauthenticationRequired`` if they do not.
    public func accessToken(afterProofInsteadOf refused: String) async throws(AuthError) -> String {
        try await askUser(for: refused)
        return try await accessToken(insteadOf: refused)
    }

    /// Lets the user show again who they are, unless they did since the token was issued.
    func askUser(for refused: String) async throws(AuthError) {
        // Another call may have brought the proof already, and a newer token, unless that could not be fetched yet.
        guard let record = engine.record, record.accessToken == refused, !engine.isOutdated else { return }
        let isShown = try await ask(record.version.epoch)
        guard engine.record?.version.epoch == record.version.epoch else { throw sessionIsOver }
        guard isShown else { throw .reauthenticationRequired }
    }

    /// The error of a call whose session is over.
    var sessionIsOver: AuthError {
        guard case .signedOut(let reason) = state else { return .signedOut(nil) }
        return .signedOut(reason)
    }

    /// Asks the user of a session once for all calls that wait. Returns whether they have shown who they are.
    private func ask(_ epoch: UInt64) async throws(AuthError) -> Bool {
        guard let part = askingPart.withLock({ $0 }) else { return false }
        return try await questions.once("\(epoch)") { () throws(AuthError) in await self.answer(to: part, epoch) }
    }

    /// Waits for the user, but not longer than the session lasts, also if the app's part goes on.
    private func answer(to part: @escaping AskingPart, _ epoch: UInt64) async -> Bool {
        let (events, first) = (engine.events, FirstResult<Bool>())
        guard engine.record?.version.epoch == epoch else { return false }
        let asking = Task {
            do { try await part() } catch { return first.finish(.success(false)) }
            first.finish(.success(true))
        }
        let watching = Task {
            for await event in events {
                switch event {
                case .signedIn, .signedOut: first.finish(.success(false))
                default: break
                }
            }
        }
        defer {
            asking.cancel()
            watching.cancel()
        }
        // It only throws if all callers have left.
        do { return try await first.value } catch { return false }
    }
}

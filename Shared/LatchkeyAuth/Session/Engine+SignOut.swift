/// Signing out, until the server has confirmed it.
extension Engine {
    /// The time for which a sign-out waits for the store.
    private static let storeMax: Duration = .seconds(10)

    /// Signs out, and waits until that is stored and confirmed, for 10 seconds at most for each.
    ///
    /// A cancelled caller waits as well: its task is another one's.
    func signOut(everywhere: Bool) async -> SignOutResult {
        await Task {
            await ready()
            var isConfirmed = false
            do {
                isConfirmed =
                    try await ask { .signOutAsked(caller: $0, everywhere: everywhere, $1) } == Machine.confirmed
                try await within(Self.storeMax, clock) { await self.queue.idle() }
            } catch {
                // A sign-out reports what it did not reach instead of failing: here, that the store did not answer in time.
            }
            let isStored = core.withLock { core in
                switch core.state.phase {
                case .signedOut(_, _, let isStored): isStored
                // A sign-in that came since has taken its place.
                case .signedIn: true
                case .starting, .unavailable: false
                }
            }
            return SignOutResult(isStored: isStored, isConfirmed: isConfirmed)
        }.value
    }

    /// Sends a sign-out again, or notes that, if it is on its way.
    func makeGood(_ kept: KeptSignOut, _ core: inout Core) {
        if core.sending[kept.since] == nil { return send(kept, as: kept.token, for: nil, &core) }
        core.again.insert(kept.since)
    }

    /// Sends a sign-out. The caller, if there is one, is answered with the result.
    func send(_ kept: KeptSignOut, as token: KeptSignOut.Token, for caller: Int?, _ core: inout Core) {
        let sent = Task { await self.api.signOut(token, everywhere: kept.isEverywhere) }
        core.sending[kept.since] = sent
        Task { self.finish(kept, isConfirmed: await sent.value, caller) }
    }

    private func finish(_ kept: KeptSignOut, isConfirmed: Bool, _ caller: Int?) {
        core.withLock { core in
            core.sending[kept.since] = nil
            let isAgain = core.again.remove(kept.since) != nil
            if isAgain, !isConfirmed { send(kept, as: kept.token, for: nil, &core) }
        }
        if isConfirmed { feed { _ in .signOutConfirmed(since: kept.since) } }
        core.withLock { core in
            if isConfirmed || caller != nil { perform(.emit(.signedOutOnServer(confirmed: isConfirmed)), &core) }
            guard let caller else { return }
            perform(.answer(caller: caller, .success(isConfirmed ? Machine.confirmed : "")), &core)
        }
    }

    /// Waits for what comes before a sign-in: the store, and sign-outs that are on their way.
    func becomeFree() async {
        await ready()
        for sent in core.withLock({ Array($0.sending.values) }) { _ = await sent.value }
    }
}

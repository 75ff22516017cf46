import InternalAPI
import TestSupport

/// Three clients with few users and few identities, who change them at the same time.
///
/// A seed always gives the same actions; how they interleave depends on the processes.
struct IdentityInterleaving {
    /// The story of the clients.
    enum Cast: String, CaseIterable {
        /// Two devices of one user change the identities, and another user wants them too.
        case devices
        /// Three users want the same identities.
        case strangers
        /// Three accounts are merged into each other.
        case merges
        /// A user deletes the account and comes back, while others want the identities.
        case deletion
        /// The operator replaces a user's number, the user objects, and others want it.
        case lostNumber
        /// The number of a user who was away begins a new account, while the user comes back.
        case recycledNumber
        /// Two devices of one user, and another user, sign in by passkeys and remove them, and use codes of an authenticator app.
        case passkeys

        fileprivate var acts: [Act] {
            switch self {
            case .devices: [.signIn, .refresh, .add, .add, .remove, .remove]
            case .strangers: [.signIn, .refresh, .add, .add, .add, .remove]
            case .merges: [.signIn, .refresh, .merge, .merge, .merge, .merge]
            case .deletion: [.signIn, .signIn, .refresh, .add, .remove, .delete]
            case .lostNumber: [.signIn, .signIn, .refresh, .refresh, .add, .remove, .object]
            case .recycledNumber: [.signIn, .signInAnew, .signInAnew, .refresh, .add]
            case .passkeys:
                [.signIn, .refresh, .passkey, .passkey, .passkey, .removePasskey, .useCode, .useCode, .remove]
            }
        }

        /// The identities with which the clients begin, as places in the pool.
        fileprivate var beginnings: [[Int]] {
            switch self {
            case .devices, .passkeys: [[0, 2], [0], [1]]
            case .strangers, .merges: [[0], [2], [4]]
            case .deletion, .recycledNumber: [[0, 2], [3], [4]]
            case .lostNumber: [[0, 2], [3], [1]]
            }
        }
    }

    fileprivate enum Act {
        case signIn, signInAnew, refresh, add, merge, remove, delete, object, passkey, removePasskey, useCode
    }

    private static let jitterMilliseconds = 0...5
    private static let absenceMilliseconds = 0...500

    let cast: Cast
    let client: IdentityClient
    private let seed: UInt64
    /// Two numbers, two addresses, an identity at Apple, and the number that replaces a lost one.
    private let pool =
        [
            .phone(LatchkeyStack.freshPhone()), .phone(LatchkeyStack.freshPhone()), .freshAddress(), .freshAddress(),
            .freshApple(), .phone(LatchkeyStack.freshPhone()),
        ] as [VerifiedIdentity]

    init(_ cast: Cast, _ client: IdentityClient, seed: UInt64) {
        (self.cast, self.client, self.seed) = (cast, client, seed)
    }

    /// The passkeys of all clients, and the first one's second factor.
    private struct Held: Sendable {
        var passkeys: [HeldPasskey] = []
        var factor: HeldSecondFactor?
    }

    /// Lets all act until they are done, then looks at all identities and sessions.
    func run() async throws {
        var generator = SeededGenerator(seed: seed)
        var sessions: [IdentityClient.Session] = []
        for beginning in cast.beginnings { sessions.append(try await begin(beginning)) }
        if cast == .recycledNumber { await client.leave(sessions[0].user) }
        let held = cast == .passkeys ? try await hold(sessions) : Held()
        let last = try await withThrowingTaskGroup(of: IdentityClient.Session?.self) { group in
            for session in sessions {
                let own = generator.next()
                group.addTask { try await act(in: session, held, own) }
            }
            if cast == .lostNumber {
                let user = sessions[0].user
                group.addTask {
                    try await support(user)
                    return nil
                }
            }
            return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
        }
        for identity in pool { try await client.signIn(identity, isCensus: true) }
        for var session in last { await client.refresh(&session, isCensus: true) }
    }

    private struct NotBegun: Error {}

    private func begin(_ identities: [Int]) async throws -> IdentityClient.Session {
        guard let first = identities.first, var session = try await client.signIn(pool[first]) else {
            throw NotBegun()
        }
        for other in identities.dropFirst() { try await client.add(pool[other], session) }
        await client.refresh(&session)
        return session
    }

    private func hold(_ sessions: [IdentityClient.Session]) async throws -> Held {
        var held = Held()
        for session in sessions { held.passkeys += [try await client.addPasskey(session)].compactMap { $0 } }
        held.factor = try await client.enrol(sessions[0])
        return held
    }

    // MARK: - Parts

    /// One client's acts, of which those of a session that ended end with a sign-in.
    private func act(
        in first: IdentityClient.Session, _ held: Held, _ seed: UInt64
    ) async throws -> IdentityClient.Session? {
        var generator = SeededGenerator(seed: seed)
        var session = first
        // The number's new owner may come before the user is back, or after.
        if cast == .recycledNumber { try await Task.sleep(for: generator.milliseconds(Self.absenceMilliseconds)) }
        for _ in 0..<Int.random(in: 2...6, using: &generator) {
            try await Task.sleep(for: generator.milliseconds(Self.jitterMilliseconds))
            guard let act = cast.acts.randomElement(using: &generator),
                let identity = pool.randomElement(using: &generator)
            else { continue }
            let next = try await carryOut(act, identity, session, held, &generator)
            if let next { session = next }
            // After most changes the access token is old.
            if next == nil, await !client.refresh(&session), let again = try await client.signIn(identity) {
                session = again
            }
        }
        return session
    }

    /// - Returns: the session of a sign-in.
    private func carryOut(
        _ act: Act, _ identity: VerifiedIdentity, _ session: IdentityClient.Session, _ held: Held,
        _ generator: inout SeededGenerator
    ) async throws -> IdentityClient.Session? {
        switch act {
        case .signIn: return try await client.signIn(identity)
        case .signInAnew: return try await client.signIn(pool[0], takesNumber: true)
        case .refresh: break
        case .add: try await client.add(identity, session)
        case .merge:
            guard let token = try await client.add(identity, session) else { break }
            let keepsOther = Bool.random(using: &generator)
            try await client.merge(token, keepsOther: keepsOther, proof: pool[4], session)
        case .remove:
            let place = Int.random(in: 0..<pool.count, using: &generator)
            try await client.remove(place, apple: pool[4], session)
        case .delete: await client.delete(session)
        case .object:
            await client.object(session)
            return try await client.signIn(pool[0])
        case .passkey:
            if let passkey = held.passkeys.randomElement(using: &generator) {
                return try await client.signIn(by: passkey)
            }
        case .removePasskey:
            if let passkey = held.passkeys.randomElement(using: &generator) {
                await client.removePasskey(passkey, session)
            }
        case .useCode:
            let place = Int.random(in: 0...10, using: &generator)
            if let factor = held.factor { await client.useCode(place, of: factor, session) }
        }
        return nil
    }

    /// The operator replaces a user's number. It is verified at once, and its day has passed then.
    private func support(_ user: String) async throws {
        await client.replaceNumber(of: user, with: pool[5])
        try await eventually(
            "the number has moved, or there was an objection", every: .milliseconds(200)
        ) {
            let session = try await client.signIn(pool[5])
            if session == nil { try await client.stack.endDelay(ofPendingNumberOf: user) }
            return session != nil
        }
    }
}

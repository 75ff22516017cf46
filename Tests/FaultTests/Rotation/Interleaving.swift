import Synchronization
import TestSupport

/// One session in the hands of several at once, each acting at random moments at either replica of token-service.
///
/// A seed always gives the same actions; how they interleave depends on the processes.
struct Interleaving {
    /// The participants besides the owner, who refreshes, loses responses and repeats.
    enum Cast: String, CaseIterable {
        case ownerAlone, thief, logout, deactivation, everybody

        var hasThief: Bool { self == .thief || self == .everybody }
        var hasLogout: Bool { self == .logout || self == .everybody }
        var hasDeactivation: Bool { self == .deactivation || self == .everybody }
    }

    private static let jitterMillisecondsMax = 5
    private static let partTimeMillisecondsMax = 25

    let cast: Cast
    let client: SessionClient
    let wallet: Wallet
    private let seed: UInt64

    /// The tokens that the session has had, oldest first; every participant may present any of them.
    final class Wallet: Sendable {
        private let tokens: Mutex<[SessionClient.Tokens]>

        init(_ first: SessionClient.Tokens) { tokens = Mutex([first]) }

        var newest: SessionClient.Tokens? { tokens.withLock { $0.last } }

        func add(_ next: SessionClient.Tokens) { tokens.withLock { $0.append(next) } }

        func any(using generator: inout SeededGenerator) -> SessionClient.Tokens? {
            tokens.withLock { $0.randomElement(using: &generator) }
        }
    }

    init(_ cast: Cast, _ client: SessionClient, opened: SessionClient.Tokens, seed: UInt64) {
        self.cast = cast
        self.client = client
        self.seed = seed
        wallet = Wallet(opened)
    }

    /// Lets all act until they are done.
    /// - Returns: whether the owner was refused; nothing but somebody else's act may cause that.
    func run() async throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        let seeds = (0..<4).map { _ in generator.next() }
        let isOwnerRefused = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await own(seeds[0]) }
            if cast.hasThief { group.addTask { try await steal(seeds[1]) } }
            if cast.hasLogout { group.addTask { try await logOut(seeds[2]) } }
            if cast.hasDeactivation { group.addTask { try await deactivate(seeds[3]) } }
            return try await group.reduce(false) { $0 || $1 }
        }
        // Past the bound an ended session's access token is refused everywhere.
        try await Task.sleep(for: client.rules.accessEndBound)
        if let newest = wallet.newest { await client.call(newest) }
        return isOwnerRefused
    }

    // MARK: - Parts

    /// Rotates a few times; an answer that is lost is asked for again with the same key, now and then twice at once. A page's tabs do
    /// so with the key of their cookies.
    private func own(_ seed: UInt64) async throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        for rotation in 0..<Int.random(in: 2...5, using: &generator) {
            guard let present = wallet.newest else { return false }
            let key = client.cookieKey(of: present) ?? "owner-\(seed)-\(rotation)"
            guard let next = try await rotated(present, key, &generator) else { return true }
            wallet.add(next)
            if Bool.random(using: &generator) { await client.call(next) }
            try await Task.sleep(for: generator.milliseconds(0...Self.jitterMillisecondsMax))
        }
        return false
    }

    /// The next tokens; nil when they are refused.
    private func rotated(
        _ present: SessionClient.Tokens, _ key: String, _ generator: inout SeededGenerator
    ) async throws -> SessionClient.Tokens? {
        for _ in 0..<SessionClient.triesMax {
            let copies = (0..<Int.random(in: 1...3, using: &generator)).map { _ in loss(&generator) }
            let replicas = copies.map { _ in client.replica(using: &generator) }
            let answers = await withTaskGroup(of: SessionClient.Answer.self) { group in
                for (copy, replica) in zip(copies, replicas) {
                    group.addTask { await client.refresh(present, key: key, at: replica, losing: copy) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            if answers.contains(where: \.isRefused) { return nil }
            if let next = answers.compactMap(\.tokens).first { return next }
            if copies.contains(where: { $0 == nil }) { try await Task.sleep(for: SessionClient.retryPause) }
        }
        throw SessionClient.NoAnswer()
    }

    /// The loss of one response. In the cast `ownerAlone` the owner waits for each request to be done, since one that
    /// arrives after its successor was used is a reuse; otherwise the owner also hangs up at any moment.
    private func loss(_ generator: inout SeededGenerator) -> SessionClient.Loss? {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3: .reply
        case 3 where cast != .ownerAlone: .connection(generator.milliseconds(0...Self.jitterMillisecondsMax))
        default: nil
        }
    }

    /// Presents tokens of any age with no key or one of its own, or a page's with one of its cookies or both, and goes on with what
    /// that brings.
    private func steal(_ seed: UInt64) async throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        try await waitForPart(&generator)
        for turn in 0..<Int.random(in: 1...3, using: &generator) {
            guard var stolen = wallet.any(using: &generator) else { return false }
            let own = client.cookieKey(of: stolen) ?? "thief-\(seed)-\(turn)"
            let isHalf = Bool.random(using: &generator)
            let replica = client.replica(using: &generator)
            let answer = await client.refresh(
                stolen, key: isHalf ? nil : own, hasPageCookie: !isHalf, at: replica, losing: nil)
            if let next = answer.tokens {
                stolen = next
                await client.call(stolen)
                let other = client.replica(using: &generator)
                _ = await client.refresh(stolen, key: "thief-\(seed)-\(turn)-more", at: other, losing: nil)
            }
            try await Task.sleep(for: generator.milliseconds(0...Self.jitterMillisecondsMax))
        }
        return false
    }

    /// Signs out with any of the tokens, sometimes twice at once.
    private func logOut(_ seed: UInt64) async throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        try await waitForPart(&generator)
        guard let token = wallet.any(using: &generator) else { return false }
        let replicas = (0..<Int.random(in: 1...2, using: &generator)).map { _ in client.replica(using: &generator) }
        await withTaskGroup { group in
            for replica in replicas { group.addTask { await client.logOut(token, at: replica) } }
        }
        return false
    }

    private func deactivate(_ seed: UInt64) async throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        try await waitForPart(&generator)
        await client.deactivate(at: client.replica(using: &generator))
        return false
    }

    private func waitForPart(_ generator: inout SeededGenerator) async throws {
        try await Task.sleep(for: generator.milliseconds(0...Self.partTimeMillisecondsMax))
    }
}

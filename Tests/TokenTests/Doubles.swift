import Policies
import Synchronization

@testable import TokenCore

/// A clock that tests set.
final class TestClock: Sendable {
    private let time = Mutex<Int64>(1_700_000_000)
    var now: Int64 { time.withLock { $0 } }
    func advance(_ seconds: Int64) { time.withLock { $0 += seconds } }
}

/// Remembers what was published; can be away.
final class RecordingFeed: RevocationFeedWriter {
    struct Away: Error {}

    private struct State {
        var published: [Revocation] = []
        var restored: [Revocation] = []
        var publishedFloors: [VersionFloor] = []
        var restoredFloors: [VersionFloor] = []
        var publishedKeys: [KeyRevocation] = []
        var restoredKeys: [KeyRevocation] = []
        var announcements = 0
        var isAway = false
        var isComplete = true
    }

    private let state = Mutex(State())

    var published: [Revocation] { state.withLock(\.published) }
    var restored: [Revocation] { state.withLock(\.restored) }
    var publishedFloors: [VersionFloor] { state.withLock(\.publishedFloors) }
    var restoredFloors: [VersionFloor] { state.withLock(\.restoredFloors) }
    var publishedKeys: [KeyRevocation] { state.withLock(\.publishedKeys) }
    var restoredKeys: [KeyRevocation] { state.withLock(\.restoredKeys) }
    var announcements: Int { state.withLock(\.announcements) }
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    func lose() { state.withLock { $0.isComplete = false } }

    func publish(_ revocations: [Revocation], now: Int64) async throws {
        try state.withLock { state in
            guard !state.isAway else { throw Away() }
            state.published += revocations
        }
    }

    func publish(_ revocations: [KeyRevocation], now: Int64) async throws {
        try state.withLock { state in
            guard !state.isAway else { throw Away() }
            state.publishedKeys += revocations
        }
    }

    func publish(_ floors: [VersionFloor], now: Int64) async throws {
        try state.withLock { state in
            guard !state.isAway else { throw Away() }
            state.publishedFloors += floors
        }
    }

    func restore(_ floors: [VersionFloor], now: Int64) async throws {
        state.withLock { $0.restoredFloors += floors }
    }

    func announceKeys() async throws {
        try state.withLock { state in
            guard !state.isAway else { throw Away() }
            state.announcements += 1
        }
    }

    func restore(_ revocations: [KeyRevocation], now: Int64) async throws {
        state.withLock { $0.restoredKeys += revocations }
    }

    func isComplete() async throws -> Bool {
        try state.withLock { state in
            guard !state.isAway else { throw Away() }
            return state.isComplete
        }
    }

    func beginRebuild() async throws -> RebuildTicket { RebuildTicket(nonce: "nonce", mark: "1:run") }

    func restore(_ revocations: [Revocation], now: Int64) async throws {
        state.withLock { $0.restored += revocations }
    }

    func finishRebuild(_ ticket: RebuildTicket) async throws -> Bool {
        state.withLock { state in
            state.isComplete = true
            return true
        }
    }
}

/// Lets everything through, or nothing.
struct FixedLimit: RefreshLimiter {
    var wait: Int64?
    func retryAfterSeconds(userID: String, limit: RateLimit, now: Int64) async -> Int64? { wait }
}

/// A feed that works, or fails as Redis does.
final class BreakableFeed: RevocationFeedWriter {
    private let isBroken = Mutex(false)

    func setBroken(_ value: Bool) { isBroken.withLock { $0 = value } }

    func publish(_ revocations: [Revocation], now: Int64) async throws {
        // No call, no failure: an empty list is not sent.
        if !revocations.isEmpty, isBroken.withLock({ $0 }) { throw RedisRevocationFeed.Unexpected() }
    }

    func publish(_ revocations: [KeyRevocation], now: Int64) async throws {}
    func publish(_ floors: [VersionFloor], now: Int64) async throws {}
    func restore(_ floors: [VersionFloor], now: Int64) async throws {}
    func restore(_ revocations: [KeyRevocation], now: Int64) async throws {}
    func announceKeys() async throws {}
    func isComplete() async throws -> Bool { true }
    func beginRebuild() async throws -> RebuildTicket { RebuildTicket(nonce: "nonce", mark: "1:run") }
    func restore(_ revocations: [Revocation], now: Int64) async throws {}
    func finishRebuild(_ ticket: RebuildTicket) async throws -> Bool { true }
}

/// Admits everything and remembers the clients it was asked about.
final class RecordingLimit: RefreshLimiter {
    private let asked = Mutex<[String]>([])

    var users: [String] { asked.withLock { $0 } }

    func retryAfterSeconds(userID: String, limit: RateLimit, now: Int64) async -> Int64? {
        asked.withLock { $0.append(userID) }
        return nil
    }
}

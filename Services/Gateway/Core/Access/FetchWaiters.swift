import NIOCore

/// Requests that wait for the end of a fetch of the keys; a value behind its owner's lock.
struct FetchWaiters: Sendable {
    /// Requests that may wait at once.
    static let countMax = 4096

    private struct Waiter: Sendable {
        let since: UInt64
        let promise: EventLoopPromise<Void>
    }

    private var waiters: [UInt64: Waiter] = [:]
    private var nextNumber: UInt64 = 0

    /// Adds one; nil when too many wait.
    mutating func add(since: UInt64, _ promise: EventLoopPromise<Void>) -> UInt64? {
        guard waiters.count < Self.countMax else { return nil }
        nextNumber &+= 1
        waiters[nextNumber] = Waiter(since: since, promise: promise)
        return nextNumber
    }

    /// The keys have changed: who waits needs a fetch that is sent at or after `time`.
    mutating func waitFurther(until time: UInt64) {
        waiters = waiters.mapValues { Waiter(since: max($0.since, time), promise: $0.promise) }
    }

    /// Takes out those whom a fetch serves that was sent at `sentAt`.
    mutating func take(sentAt: UInt64) -> [EventLoopPromise<Void>] {
        let served = waiters.filter { $0.value.since <= sentAt }
        for number in served.keys { waiters[number] = nil }
        return served.values.map(\.promise)
    }

    /// Takes out one, if it still waits.
    mutating func take(_ number: UInt64) -> EventLoopPromise<Void>? {
        waiters.removeValue(forKey: number)?.promise
    }
}

import NIOCore

/// Requests that wait for the end of a fetch of the keys. The type is a plain value; its owner's lock protects it.
struct FetchWaiters: Sendable {
    /// The greatest number of requests that wait at once.
    static let countMax = 4096

    private struct Waiter: Sendable {
        let since: UInt64
        let promise: EventLoopPromise<Void>
    }

    private var waiters: [UInt64: Waiter] = [:]
    private var nextNumber: UInt64 = 0

    /// Adds a request, or returns `nil` if too many wait.
    mutating func add(since: UInt64, _ promise: EventLoopPromise<Void>) -> UInt64? {
        guard waiters.count < Self.countMax else { return nil }
        nextNumber &+= 1
        waiters[nextNumber] = Waiter(since: since, promise: promise)
        return nextNumber
    }

    /// Makes the waiting requests wait for a fetch that is sent at or after `time`, because the keys have changed.
    mutating func waitFurther(until time: UInt64) {
        waiters = waiters.mapValues { Waiter(since: max($0.since, time), promise: $0.promise) }
    }

    /// Removes and returns the requests that a fetch sent at `sentAt` serves.
    mutating func take(sentAt: UInt64) -> [EventLoopPromise<Void>] {
        let served = waiters.filter { $0.value.since <= sentAt }
        for number in served.keys { waiters[number] = nil }
        return served.values.map(\.promise)
    }

    /// Removes and returns one request, if it still waits.
    mutating func take(_ number: UInt64) -> EventLoopPromise<Void>? {
        waiters.removeValue(forKey: number)?.promise
    }
}

public import Foundation
public import LatchkeyAuth

/// A clock that stands still until a test moves it.
public final class TestClock: DeviceClock {
    private let times: Guarded<Times>

    private struct Times {
        var now: Duration = .seconds(1000)
        var wall: Date
        var lastSleeper = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private struct Sleeper {
        let time: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }

    public init(wall: Date = Date(timeIntervalSince1970: 1_800_000_000)) { times = Guarded(Times(wall: wall)) }

    public var now: Duration { times.change { $0.now } }
    public var wall: Date { times.change { $0.wall } }

    /// Moves both clocks, and wakes those that sleep until then.
    public func advance(by duration: Duration) {
        let woken = times.change { times in
            times.now += duration
            times.wall += duration / .seconds(1)
            let due = times.sleepers.filter { $0.value.time <= times.now }
            for id in due.keys { times.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume(returning: true) }
    }

    /// Sets the date only, as a user can in the settings of a phone.
    public func setWall(by duration: Duration) { times.change { $0.wall += duration / .seconds(1) } }

    /// Waits until this many tasks sleep, so that a test can move the clock past what they wait for.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = times.change { times in
                if times.sleepers.count < count { times.watchers.append((count, continuation)) }
                return times.sleepers.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    public func sleep(until time: Duration) async throws {
        let id = times.change { times in
            times.lastSleeper += 1
            return times.lastSleeper
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in add(id, Sleeper(time: time, continuation: continuation)) }
        } onCancel: {
            times.change { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }

    private func add(_ id: Int, _ sleeper: Sleeper) {
        let (isWaiting, watchers) = times.change { times in
            guard sleeper.time > times.now, !Task.isCancelled else {
                return (false, [CheckedContinuation<Void, Never>]())
            }
            times.sleepers[id] = sleeper
            let count = times.sleepers.count
            let satisfied = times.watchers.filter { $0.count <= count }
            times.watchers.removeAll { $0.count <= count }
            return (true, satisfied.map(\.continuation))
        }
        for watcher in watchers { watcher.resume() }
        if !isWaiting { sleeper.continuation.resume(returning: !Task.isCancelled) }
    }
}

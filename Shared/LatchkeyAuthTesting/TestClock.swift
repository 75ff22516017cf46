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
        let isWaiting = times.change { times in
            guard sleeper.time > times.now, !Task.isCancelled else { return false }
            times.sleepers[id] = sleeper
            return true
        }
        if !isWaiting { sleeper.continuation.resume(returning: !Task.isCancelled) }
    }
}

import CallDeadlines
import CoreMetrics
import Spans
import Synchronization

/// The bounds of waiting calls and of groups.
package enum StorageLimits {
    /// The number of calls that wait for one thing; one more fails as `queueFull`.
    package static let queuedMax = 4_096
    /// The maximum number of calls of one group.
    static let groupMax = 256
}

/// Calls that arrive while earlier ones run, and then run together in one transaction or statement.
///
/// One group runs at a time. A group has each key once, so that its result does not depend on the order of its items.
package final class GroupedCalls<Item: Sendable, Output: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let key: Int64
        let item: Item
        let deadline: CallDeadline?
        let continuation: CheckedContinuation<Output, any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isRunning = false
    }

    private let runGroup: @Sendable ([Item]) async throws -> [Output]
    private let state = Mutex(State())
    private let groups = Counter(label: "postgresql_groups_total")
    private let calls = Counter(label: "postgresql_grouped_calls_total")

    /// The number of calls that wait for the next group.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// - Parameter runGroup: runs items of different keys and returns their outputs, in their order.
    package init(_ runGroup: @escaping @Sendable ([Item]) async throws -> [Output]) {
        self.runGroup = runGroup
    }

    /// Runs an item in the next group.
    ///
    /// - Throws: `StorageError`, of the item alone: a group that fails runs again item by item.
    package func run(_ item: Item, key: Int64) async throws -> Output {
        try await withClientSpan("database group") { _ in try await wait(item, key: key) }
    }

    private func wait(_ item: Item, key: Int64) async throws -> Output {
        let deadline = CallDeadline.current
        return try await withCheckedThrowingContinuation { continuation in
            let waiting = Waiting(key: key, item: item, deadline: deadline, continuation: continuation)
            let (isAdmitted, starts) = state.withLock { state in
                guard state.waiting.count < StorageLimits.queuedMax else { return (false, false) }
                state.waiting.append(waiting)
                defer { state.isRunning = true }
                return (true, !state.isRunning)
            }
            guard isAdmitted else {
                return continuation.resume(throwing: StorageError(.queueFull, "too many calls wait for their group"))
            }
            // A task of its own: the group belongs to several callers, and has none of their deadlines.
            if starts { Task.detached { await self.runGroups() } }
        }
    }

    /// Runs groups until nothing waits.
    private func runGroups() async {
        while let group = next() {
            let live = group.filter { $0.deadline?.hasPassed != true }
            for late in group where late.deadline?.hasPassed == true {
                late.continuation.resume(throwing: StorageError(.late, "the caller waits no longer"))
            }
            groups.increment()
            calls.increment(by: live.count)
            await run(live)
        }
    }

    private func next() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            var (group, rest, keys): ([Waiting], [Waiting], Set<Int64>) = ([], [], [])
            for waiting in state.waiting {
                if group.count < StorageLimits.groupMax, keys.insert(waiting.key).inserted {
                    group.append(waiting)
                } else {
                    rest.append(waiting)
                }
            }
            state.waiting = rest
            return group
        }
    }

    private func run(_ group: [Waiting]) async {
        guard !group.isEmpty else { return }
        let items = group.map(\.item)
        do {
            let outputs = try await runGroup(items)
            guard outputs.count == group.count else { throw StorageError(.other, "a group has too few outputs") }
            for (waiting, output) in zip(group, outputs) { waiting.continuation.resume(returning: output) }
        } catch let error as StorageError where group.count > 1 && error.code.mayBeOfOneItem {
            for waiting in group { await run([waiting]) }
        } catch {
            for waiting in group { waiting.continuation.resume(throwing: error) }
        }
    }
}

extension StorageError.Code {
    /// Whether one item of a group can be the cause, so that the others may succeed without it.
    fileprivate var mayBeOfOneItem: Bool {
        switch self {
        case .busy, .constraint, .other: true
        case .late, .full, .io, .corrupt, .readOnly, .queueFull, .unknown, .schema: false
        }
    }
}

import Dispatch

/// The uses of a store, one after the other. Each has a thread of its own, since reading may block.
///
/// A store that does not answer within 10 seconds has failed, and the next use begins. What it answers later is not heard.
final class StoreQueue: Sendable {
    private static let limit: Duration = .seconds(10)
    /// The true time that is added for an app that was suspended during a use: the answer comes as soon as it goes on.
    private static let grace: Duration = .milliseconds(250)
    /// The number of uses that may hang. A thread that waits for a store cannot be stopped.
    private static let hangingMax = 16

    private let clock: any DeviceClock
    private let threads = DispatchQueue(label: "latchkey.store", qos: .userInitiated, attributes: .concurrent)
    private let content = Locked(Content())

    private struct Content: Sendable {
        var waiting: [Use] = []
        var last = 0
        /// The number of the use that is under way.
        var current: Int?
        var hanging = 0
    }

    /// A use of the store, and what to do once it is over.
    private struct Use: Sendable {
        let body: @Sendable () -> Void
        let isLate: @Sendable () -> Void
    }

    init(_ clock: any DeviceClock) { self.clock = clock }

    /// Uses the store after all earlier uses, and passes the result on. `trouble` is that of a store that does not answer.
    func use<Value: Sendable>(
        orElse trouble: StoreTrouble, _ body: @escaping @Sendable () throws(StoreFailure) -> Value,
        _ done: @escaping @Sendable (Result<Value, StoreFailure>) -> Void
    ) {
        let first = OneUse(done)
        let use = Use(
            body: {
                do throws(StoreFailure) { first.finish(.success(try body())) } catch { first.finish(.failure(error)) }
            },
            isLate: { first.finish(.failure(StoreFailure(trouble))) })
        content.withLock { $0.waiting.append(use) }
        beginNext()
    }

    /// Waits until all uses before this call are over.
    func idle() async {
        await withCheckedContinuation { reader in
            use(orElse: .unreadable, { () throws(StoreFailure) in }, { _ in reader.resume() })
        }
    }

    private func beginNext() {
        let next = content.withLock { content -> (Int, Use, Bool)? in
            guard content.current == nil, !content.waiting.isEmpty else { return nil }
            content.last += 1
            content.current = content.last
            let mayBegin = content.hanging < Self.hangingMax
            if mayBegin { content.hanging += 1 }
            return (content.last, content.waiting.removeFirst(), mayBegin)
        }
        guard let (number, use, mayBegin) = next else { return }
        guard mayBegin else { return threads.async { self.end(number, use.isLate) } }
        let end = clock.now + Self.limit
        let timing = Task {
            // It only throws if it is cancelled, when there is an answer.
            do {
                try await clock.sleep(until: end)
                try await Task.sleep(for: Self.grace)
            } catch { return }
            self.end(number, use.isLate)
        }
        threads.async {
            use.body()
            self.content.withLock { $0.hanging -= 1 }
            timing.cancel()
            self.end(number) {}
        }
    }

    /// Ends the use with this number, unless it is over.
    private func end(_ number: Int, _ isLate: () -> Void) {
        guard content.withLock({ $0.current == number }) else { return }
        isLate()
        content.withLock { if $0.current == number { $0.current = nil } }
        beginNext()
    }
}

/// Receives the first result of a use.
private final class OneUse<Value: Sendable>: Sendable {
    private let done: Locked<(@Sendable (Result<Value, StoreFailure>) -> Void)?>

    init(_ done: @escaping @Sendable (Result<Value, StoreFailure>) -> Void) { self.done = Locked(done) }

    func finish(_ result: Result<Value, StoreFailure>) {
        let mine = done.withLock { done -> (@Sendable (Result<Value, StoreFailure>) -> Void)? in
            let mine = done
            done = nil
            return mine
        }
        mine?(result)
    }
}

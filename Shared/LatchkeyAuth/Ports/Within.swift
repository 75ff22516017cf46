/// Waits for some work, but not longer than a limit, nor longer than the caller's task. Work that is not waited for is cancelled.
func within<Value: Sendable>(
    _ limit: Duration, _ clock: any DeviceClock, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let (end, first) = (clock.now + limit, FirstResult<Value>())
    let working = Task {
        do { first.finish(.success(try await work())) } catch { first.finish(.failure(error)) }
    }
    let timing = Task {
        // It only throws if it is cancelled, when there is a result.
        do { try await clock.sleep(until: end) } catch { return }
        first.finish(.failure(AuthError.timedOut))
    }
    defer {
        working.cancel()
        timing.cancel()
    }
    return try await first.value
}

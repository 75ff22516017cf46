/// A condition that did not come true in time.
package struct NeverTrue: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until `condition` is true, asking every few milliseconds.
///
/// - Throws: `NeverTrue` at the deadline, and what `condition` throws.
package func eventually(
    _ what: String, within limit: Duration = Patience.limit, every interval: Duration = .milliseconds(20),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverTrue(description: "\(what): not within \(limit)") }
        try await Task.sleep(for: interval)
    }
}

/// Runs `body`, which must return before the deadline of all tests, while what it must not wait for takes longer or never ends.
package func promptly<Value>(_ what: String, _ body: () async throws -> Value) async throws -> Value {
    let start = ContinuousClock.now
    let value = try await body()
    let took = ContinuousClock.now - start
    guard took < Patience.limit else { throw NeverTrue(description: "\(what): took \(took)") }
    return value
}

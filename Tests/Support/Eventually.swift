/// A condition that did not come true in time.
package struct NeverTrue: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until `condition` is true, asking every few milliseconds.
///
/// - Throws: `NeverTrue` at the deadline, and what `condition` throws.
package func eventually(
    _ what: String, within limit: Duration = .seconds(20), every interval: Duration = .milliseconds(20),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverTrue(description: "\(what): not within \(limit)") }
        try await Task.sleep(for: interval)
    }
}

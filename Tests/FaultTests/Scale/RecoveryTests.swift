import TestSupport
import Testing

/// The recovery that is read from a history.
struct RecoveryTests {
    private static let fault = Duration.seconds(10)

    /// A refresh and a call each 100 ms, which fail from the fault until `healed`.
    private func history(
        healed: Duration, until end: Duration, kinds: [TestSupport.Operation.Kind]
    ) -> [TestSupport.Operation] {
        stride(from: 0, to: end / .milliseconds(100), by: 1).flatMap { step in
            kinds.map { kind in
                var operation = TestSupport.Operation(kind, invoked: .milliseconds(100) * Int(step))
                operation.completed = operation.invoked + .milliseconds(20)
                let fails = operation.invoked >= Self.fault && operation.invoked < healed
                operation.outcome = fails ? .unknown : .accepted
                return operation
            }
        }
    }

    @Test func `the first success after the last failure counts`() throws {
        let operations = history(healed: .seconds(14), until: .seconds(30), kinds: [.refresh, .call])
        let times = try #require(Recovery(operations, since: Self.fault, now: .seconds(30)).times)
        #expect(times.all == .milliseconds(4_020) && times.calls == .milliseconds(4_020))
    }

    @Test func `a success that is not yet followed by others is no recovery`() {
        let operations = history(healed: .seconds(14), until: .seconds(18), kinds: [.refresh, .call])
        #expect(Recovery(operations, since: Self.fault, now: .seconds(18)).times == nil)
    }

    @Test func `without calls nothing has recovered`() {
        let operations = history(healed: .seconds(14), until: .seconds(30), kinds: [.refresh])
        #expect(Recovery(operations, since: Self.fault, now: .seconds(30)).times == nil)
    }
}

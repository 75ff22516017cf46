import Testing

@testable import Spans

/// The place of a span, as `traceparent` carries it.
@Suite struct SpanIdentityTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test func `what is written is read again`() throws {
        let text = "00-\(Self.trace)-00f067aa0ba902b7-01"
        let identity = try #require(SpanIdentity(traceparent: text))
        #expect(identity.traceparent == text && identity.traceID == Self.trace && identity.isSampled)
        let small = try #require(SpanIdentity(traceparent: "00-00000000000000000000000000000001-0000000000000002-00"))
        #expect(small.traceparent == "00-00000000000000000000000000000001-0000000000000002-00" && !small.isSampled)
    }

    @Test func `flags are bits`() {
        #expect(SpanIdentity(traceparent: "00-\(Self.trace)-00f067aa0ba902b7-03")?.isSampled == true)
        #expect(SpanIdentity(traceparent: "00-\(Self.trace)-00f067aa0ba902b7-02")?.isSampled == false)
    }

    @Test(
        arguments: [
            "", "00", "01-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-01-more",
            "00-\(trace)-0000000000000000-01", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-\(trace.uppercased())-00f067aa0ba902b7-01", "00-\(trace)-+0f067aa0ba902b7-01",
            "00-\(trace)-00f067aa0ba902b7-1", "00-\(trace)0-00f067aa0ba902b-01", "00_\(trace)_00f067aa0ba902b7_01",
            "00-\(trace)-00f067aa0ba902b7-01, 00-\(trace)-00f067aa0ba902b7-01",
        ])
    func `anything else is no place`(text: String) { #expect(SpanIdentity(traceparent: text) == nil) }

    @Test func `children have ids of their own in the same trace`() {
        let root = SpanIdentity(newTrace: 1, 2)
        let children = (0..<1_000).map { _ in root.child() }
        #expect(Set(children.map(\.spanID)).count == 1_000)
        #expect(children.allSatisfy { $0.traceID == root.traceID && $0.isSampled && $0.spanID != 0 })
    }
}

import StrictJSON
import Testing
import Tracing

@testable import Spans

/// The JSON form of OTLP, as the specification's example has it.
@Suite struct SpanDocumentTests {
    private func span(parentID: UInt64, kind: SpanKind) throws -> FinishedSpan {
        let identity = try #require(
            SpanIdentity(traceparent: "00-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174-01"))
        return FinishedSpan(
            identity: identity, parentID: parentID, name: "POST /auth/otp/request", kind: kind,
            start: 1_544_712_660_000_000_000)
    }

    private func text(_ spans: [FinishedSpan], _ resource: [String: String] = [:]) throws -> String {
        String(decoding: try SpanDocument(spans, resource: resource).json(), as: UTF8.self)
    }

    @Test func `a span is written as collectors read it`() throws {
        var span = try span(parentID: 0xeee1_9b7e_c3c1_b173, kind: .server)
        span.end = 1_544_712_661_000_000_000
        span.attributes[.status] = 200
        let expected =
            #"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a \"b\""}}]},"#
            + #""scopeSpans":[{"scope":{"name":"latchkey"},"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","#
            + #""spanId":"eee19b7ec3c1b174","parentSpanId":"eee19b7ec3c1b173","name":"POST /auth/otp/request","kind":2,"#
            + #""startTimeUnixNano":"1544712660000000000","endTimeUnixNano":"1544712661000000000","#
            + #""attributes":[{"key":"http.response.status_code","value":{"intValue":"200"}}],"status":{},"flags":1}]}]}]}"#
        #expect(try text([span], ["service.name": "a \"b\""]) == expected)
    }

    @Test func `a root has no parent, and no span ends before it starts`() throws {
        let written = try text([span(parentID: 0, kind: .client)])
        #expect(!written.contains("parentSpanId") && written.contains(#""kind":3"#))
        #expect(written.contains(#""endTimeUnixNano":"1544712660000000000""#))
    }

    @Test func `a server's failure is an error, and a client's is none`() throws {
        for (status, isError) in [(404, false), (499, false), (500, true), (503, true)] {
            var span = try span(parentID: 0, kind: .server)
            span.attributes[.status] = status
            #expect(try text([span]).contains(#""status":{"code":2}"#) == isError, "\(status)")
        }
    }
}

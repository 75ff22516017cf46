import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct RefusalLogTests {
    private final class Clock: Sendable {
        let seconds = Atomic<Int64>(600)
    }

    @Test func `each reason has one line a minute, with method and route`() {
        let log = TestLog()
        let clock = Clock()
        let refusals = RefusalLog(logger: log.logger) { clock.seconds.load(ordering: .relaxed) }
        for _ in 0..<5 { refusals.note(.ambiguousPath, method: .get, at: .other) }
        refusals.note(.bodyTooLarge, method: .post, at: RouteLabel(index: 3, text: "/api/**"))
        refusals.note(.badProxyHeader, method: nil, at: .other)
        clock.seconds.store(659, ordering: .relaxed)
        refusals.note(.ambiguousPath, method: .get, at: .other)
        clock.seconds.store(660, ordering: .relaxed)
        refusals.note(.ambiguousPath, method: .put, at: .other)
        #expect(
            log.lines == [
                "edge.refused http.method=GET http.route=other http.status=400 reason=ambiguous_path skipped=0",
                "edge.refused http.method=POST http.route=/api/** http.status=413 reason=body_too_large skipped=0",
                "edge.refused http.method=other http.route=other http.status=400 reason=bad_proxy_header skipped=0",
                "edge.refused http.method=PUT http.route=other http.status=400 reason=ambiguous_path skipped=5",
            ])
    }
}

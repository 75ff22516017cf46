import Logging
import NIOCore
import Testing

@testable import EdgeHTTP

/// The words that the gateway logs for a call to another service that failed.
@Suite struct UpstreamWordsTests {
    private let failures = UpstreamFailures(
        service: "otp", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    @Test func `a service that cannot be reached has the word of its latest failure`() {
        #expect(failures.word(for: .unreachable) == "connection_refused")
        failures.noteUnknownName(of: UpstreamEndpoint(host: "otp", port: 8081), now: .now())
        #expect(failures.word(for: .unreachable) == "name_not_found")
    }

    @Test(
        arguments: [
            (UpstreamFailure.closedBeforeAnswer, "connection_closed"), (.brokenAnswer, "connection_closed"),
            (.timeout, "timed_out"), (.overloaded, nil), (.malformedAnswer, nil), (.refusedAnswer, nil),
            (.cancelled, nil),
        ] as [(UpstreamFailure, String?)]) func `other failures of the connection have their own words`(
            failure: UpstreamFailure, word: String?
        )
    {
        #expect(failures.word(for: failure) == word)
    }
}

import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct KeepAlivePenaltyTests {
    private let start = NIODeadline.uptimeNanoseconds(5_000_000_000)

    private func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    @Test func `an address that has done nothing is trusted`() {
        #expect(KeepAlivePenalty().trust(now: start) == .full)
        #expect(KeepAlivePenalty().trustedFrom == nil)
    }

    @Test func `the first offence costs a minute, then a time on trial`() {
        var penalty = KeepAlivePenalty()
        #expect(penalty.offend(now: start) == 60)
        #expect(penalty.trust(now: start) == .withheld)
        #expect(penalty.trust(now: at(60) - .nanoseconds(1)) == .withheld)
        #expect(penalty.trust(now: at(60)) == .onTrial)
        #expect(penalty.trust(now: at(60 + KeepAlivePenalty.trialSeconds) - .nanoseconds(1)) == .onTrial)
        #expect(penalty.trust(now: at(60 + KeepAlivePenalty.trialSeconds)) == .full)
        #expect(penalty.trustedFrom == at(60 + KeepAlivePenalty.trialSeconds))
    }

    @Test func `more offences while the penalty runs begin none`() {
        var penalty = KeepAlivePenalty()
        #expect(penalty.offend(now: start) == 60)
        #expect(penalty.offend(now: at(1)) == nil)
        #expect(penalty.offend(now: at(59)) == nil)
        #expect(penalty.trust(now: at(60)) == .onTrial)
    }

    @Test func `each penalty that follows at once is twice as long, up to an hour`() {
        var penalty = KeepAlivePenalty()
        var now = start
        for expected: Int64 in [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600] {
            #expect(penalty.offend(now: now) == expected)
            now = now + .seconds(expected)
        }
    }

    @Test func `after as long a time without offence it begins with a minute again`() {
        var penalty = KeepAlivePenalty()
        #expect(penalty.offend(now: start) == 60)
        #expect(penalty.offend(now: at(119)) == 120)
        #expect(penalty.offend(now: at(119 + 240)) == 60)
    }

    // MARK: What comes on an idle connection

    @Test(arguments: [
        "HTTP/1.0 408 Request Time-out\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n<html>slow</html>",
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: keep-alive, Close\r\n\r\n",
    ])
    func `a 408 that closes is a farewell`(text: String) {
        #expect(IdleGoodbye.isGoodbye(ByteBuffer(string: text)))
    }

    @Test(arguments: [
        "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 408 Request Timeout\r\nConnection: cl", "hello", "\r\n", "",
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nX: " + String(repeating: "x", count: 2000) + "\r\n\r\n",
    ])
    func `anything else is not`(text: String) {
        #expect(!IdleGoodbye.isGoodbye(ByteBuffer(string: text)))
    }
}

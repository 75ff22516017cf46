import NIOCore

/// How it is checked whether a skipped address of an upstream serves again.
package struct HealthCheckRule: Sendable, Equatable {
    /// The path and query that are requested by GET.
    package let path: String
    package let intervalSeconds: Int64

    package init(path: String, intervalSeconds: Int64) {
        self.path = path
        self.intervalSeconds = intervalSeconds
    }
}

/// One check of a skipped address: a GET on a connection of its own, which passes if the response is 2xx.
final class HealthCheck: ResponseSink, ConnectionTaker {
    /// The time for the connection and the whole response.
    private static let limit = TimeAmount.seconds(1)

    private let path: String
    private var connection: UpstreamConnection?
    private var isOver = false

    init(path: String) { self.path = path }

    /// Begins the time of the check, which the event loop keeps alive.
    func start(on eventLoop: any EventLoop) {
        eventLoop.assumeIsolated().scheduleTask(in: Self.limit) { self.end() }
    }

    var wantsConnection: Bool { !isOver && connection == nil }

    func take(_ connection: UpstreamConnection) {
        self.connection = connection
        var request = ByteBuffer()
        request.writeString("GET \(path) HTTP/1.1\r\nHost: \(connection.endpoint.authority)\r\n")
        request.writeStaticString("User-Agent: latchkey-health-check\r\nConnection: close\r\n\r\n")
        connection.begin(request, isHEAD: false, isComplete: true, isLast: true, mayStaySilent: true, sink: self)
    }

    func getNone(_ failure: UpstreamFailure) { isOver = true }

    func responseDidAnnounce(_ head: ResponseHead) {}

    func responseDidBegin(_ head: ResponseHead) {
        if (200..<300).contains(head.status) { connection?.replica.health.note { $0.checkDidPass() } }
    }

    func responseDidSend(_ data: ByteBuffer) {}
    func responseDidPause() {}
    func responseDidEnd() { isOver = true }
    func responseDidFail(_ failure: UpstreamFailure) { isOver = true }
    func upstreamWritabilityDidChange(_ isWritable: Bool) {}

    private func end() {
        guard !isOver else { return }
        isOver = true
        connection?.cancel()
    }
}

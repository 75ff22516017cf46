import NIOCore
import NIOPosix

/// An upstream that is out of step: behind each 204 it sends another whole answer, at once or after a while.
struct DesynchronisingUpstream: Sendable {
    /// The last segment of a path comes back as the body.
    static let echoPath = "/api/echo/"
    /// Requests to it get a 204, followed by a response without a request.
    static let emptyPath = "/api/empty/"

    let port: Int

    /// Runs `body` while it listens, and ends it on every path.
    static func run<Value: Sendable>(_ body: (DesynchronisingUpstream) async throws -> Value) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.backlog, value: 1024)
                .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(OutOfStep())
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            guard let port = channel.localAddress?.port else { throw LoadFailure.closed }
            let value = try await body(DesynchronisingUpstream(port: port))
            try await group.shutdownGracefully()
            return value
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }
}

/// Answers requests without bodies, each as soon as its head is whole.
private final class OutOfStep: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Until the second answer; nil: in one piece with the first.
    private static let delays: [TimeAmount?] = [
        nil, .microseconds(200), .milliseconds(1), .milliseconds(5), .milliseconds(20), .milliseconds(100),
    ]
    /// Until an answer that was asked for: long enough that what comes late meets the next request of its connection.
    private static let thinkingMilliseconds = 0...20
    private static let headBytesMax = 64 * 1024

    private var received: [UInt8] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        let end = Array("\r\n\r\n".utf8)
        while let range = received.firstRange(of: end) {
            let line = received.prefix { $0 != UInt8(ascii: "\r") }
            answer(String(decoding: line, as: UTF8.self), context)
            received.removeSubrange(..<range.upperBound)
        }
        if received.count > Self.headBytesMax { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ requestLine: String, _ context: ChannelHandlerContext) {
        let parts = requestLine.split(separator: " ")
        let path = parts.count > 1 ? String(parts[1]) : ""
        guard path.hasPrefix(DesynchronisingUpstream.emptyPath) else {
            let thinking = TimeAmount.milliseconds(Int64(Int.random(in: Self.thinkingMilliseconds)))
            return send(Self.whole(path.split(separator: "/").last.map(String.init) ?? ""), in: thinking, context)
        }
        let foreign = Self.whole("foreign")
        // At random: a connection whose first 204 were always the one with an answer in the same piece would end there.
        guard let delay = Self.delays.randomElement() ?? nil else { return send(Self.empty + foreign, context) }
        send(Self.empty, context)
        send(foreign, in: delay, context)
    }

    private func send(_ text: String, in delay: TimeAmount, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: delay) { bound.value.0.send(text, bound.value.1) }
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    private static let empty = "HTTP/1.1 204 No Content\r\n\r\n"

    private static func whole(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}

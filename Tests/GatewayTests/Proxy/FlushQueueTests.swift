import NIOCore
import NIOEmbedded
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct FlushQueueTests {
    /// A channel with bytes that wait for a flush.
    private func channel(on loop: EmbeddedEventLoop) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        channel.write(ByteBuffer(string: "bytes"), promise: nil)
        return channel
    }

    private func isSent(_ channel: EmbeddedChannel) throws -> Bool {
        try channel.readOutbound(as: ByteBuffer.self) != nil
    }

    @Test func `what is written in one turn of the loop goes out at its end`() throws {
        let loop = EmbeddedEventLoop()
        let queue = FlushQueue(eventLoop: loop)
        let channels = try (0..<3).map { _ in try channel(on: loop) }
        for channel in channels { queue.add(channel) }
        for channel in channels { #expect(try !isSent(channel)) }
        loop.run()
        for channel in channels { #expect(try isSent(channel)) }
    }

    @Test func `no more than thirty-two connections wait for each other`() throws {
        let loop = EmbeddedEventLoop()
        let queue = FlushQueue(eventLoop: loop)
        let channels = try (0..<33).map { _ in try channel(on: loop) }
        for channel in channels { queue.add(channel) }
        #expect(try channels.map(isSent) == Array(repeating: true, count: 32) + [false])
        loop.run()
        #expect(try isSent(channels[32]))
    }

    @Test func `a second turn is a new one`() throws {
        let loop = EmbeddedEventLoop()
        let queue = FlushQueue(eventLoop: loop)
        for _ in 0..<2 {
            let channel = try channel(on: loop)
            queue.add(channel)
            loop.run()
            #expect(try isSent(channel))
        }
    }
}

package import Logging
package import NIOCore

/// A separate connection for reads that block (`XREAD BLOCK`), which would delay pipelined commands.
///
/// It does not reconnect: on any failure it closes and throws, and the caller opens another one.
package final class RedisDedicatedConnection: Sendable {
    private let eventLoop: any EventLoop
    private let handler: NIOLoopBound<ConnectionHandler>

    private init(_ handler: NIOLoopBound<ConnectionHandler>) {
        self.handler = handler
        eventLoop = handler.eventLoop
    }

    deinit {
        eventLoop.execute { [handler] in handler.value.close() }
    }

    /// Connects and authenticates, each within `connectTimeout`.
    package static func open(
        _ configuration: RedisConfiguration, group: any EventLoopGroup, logger: Logger
    ) async throws(RedisError) -> RedisDedicatedConnection {
        let eventLoop = group.next()
        let opened = await withCheckedContinuation { continuation in
            eventLoop.execute { connect(configuration, on: eventLoop, opened: continuation) }
        }
        do throws(RedisError) {
            return RedisDedicatedConnection(try opened.get())
        } catch {
            logger.debug("redis.dedicated_connection_failed", metadata: ["error.code": "\(error.code.rawValue)"])
            throw error
        }
    }

    /// Sends commands consecutively and waits for all replies.
    /// - Parameter timeout: The time limit for all replies, including blocking; after it the connection is closed.
    package func pipeline(
        _ commands: [[RedisArgument]], timeout: Duration
    ) async throws(RedisError) -> [RedisReply] {
        guard !commands.isEmpty else { return [] }
        let request = RedisRequest(commands, deadline: .now() + TimeAmount(timeout))
        return try await request.outcome { request in
            eventLoop.execute { [handler] in handler.value.send(CollectionOfOne(request)) }
        }.get()
    }

    /// Closes at once; commands without a reply fail.
    package func close() async {
        await withCheckedContinuation { continuation in
            eventLoop.execute { [handler] in
                handler.value.close()
                continuation.resume()
            }
        }
    }
}

extension RedisDedicatedConnection {
    private typealias Opened = CheckedContinuation<Result<NIOLoopBound<ConnectionHandler>, RedisError>, Never>

    /// Resumes the continuation when the connection is ready, or has failed.
    private static func connect(
        _ configuration: RedisConfiguration, on eventLoop: any EventLoop, opened: Opened
    ) {
        let attempt = Attempt(opened)
        attempt.handler = ConnectionHandler.connect(
            configuration, on: eventLoop,
            observer: ConnectionHandler.Observer(
                ready: {
                    guard let handler = attempt.handler else { return }
                    attempt.finish(.success(NIOLoopBound(handler, eventLoop: eventLoop)))
                },
                closed: { attempt.finish(.failure($0)) }))
    }

    /// One attempt to open a connection, with exactly one result; stays on the event loop.
    private final class Attempt {
        var handler: ConnectionHandler?
        private var opened: Opened?

        init(_ opened: Opened) { self.opened = opened }

        func finish(_ result: Result<NIOLoopBound<ConnectionHandler>, RedisError>) {
            opened?.resume(returning: result)
            opened = nil
            handler = nil
        }
    }
}

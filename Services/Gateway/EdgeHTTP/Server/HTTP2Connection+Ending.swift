import NIOCore
import NIOHTTP2

/// The end of a connection of HTTP/2.
extension HTTP2Connection {
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let failure {
            note(failure == .enhanceYourCalm ? .excessiveFrames : .badFrame)
            linger()
        } else if let error = error as? NIOHTTP2Errors.StreamError {
            // A frame of ours that cannot be written, so nothing more follows on its stream.
            streams[error.streamID]?.abort()
        } else if error is any NIOHTTP2Error {
            // The handler below has reset the stream.
            note(.badFrame)
        } else {
            context.close(promise: nil)
        }
    }

    /// Counts a request that breaks the rules, since each makes us work. Too many end the connection.
    func didProvoke() {
        guard !provoked.note(most: HTTP2Limits.provokedMax, seconds: HTTP2Limits.eventSeconds) else { return }
        fail(.excessiveFrames)
    }

    private func note(_ violation: HTTPViolation) {
        observer.requestWasRefused(violation, method: nil, at: .other)
    }

    /// Ends the connection of a client that asks for too much.
    func fail(_ violation: HTTPViolation) {
        guard mayEnd else { return }
        note(violation)
        write(.rootStream, .goAway(lastStreamID: lastStream, errorCode: .enhanceYourCalm, opaqueData: nil))
        linger()
    }

    private var mayEnd: Bool {
        switch stage {
        case .open, .announced, .draining: true
        case .lingering, .closed: false
        }
    }

    /// Finishes the requests under way and those on their way, then ends. The client learns at once that it must send no new one.
    func drain() {
        guard stage == .open, let wire else { return }
        stage = .announced
        wire.announceEnd()
        slot.channel.eventLoop.assumeIsolated().scheduleTask(in: .seconds(limits.drainIdleSeconds)) {
            self.endRequests()
        }
    }

    /// Accepts no new request any more.
    private func endRequests() {
        guard stage == .announced else { return }
        stage = .draining
        write(.rootStream, .goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil))
        context?.flush()
        if streams.isEmpty { linger() }
    }

    /// Closes the connection after the written bytes: our half first, so that the client gets them before a reset.
    func linger() {
        guard mayEnd, let context else { return }
        context.flush()
        wire?.flushWritten()
        guard mayEnd else { return }
        stage = .lingering(bytesLeft: limits.lingerBytesMax)
        endStreams()
        timer.set(seconds: limits.idleSeconds)
        let written = context.eventLoop.makePromise(of: Void.self)
        context.close(mode: .output, promise: written)
        written.futureResult.assumeIsolated().whenComplete { _ in self.timer.set(seconds: self.limits.lingerSeconds) }
        wire?.resume()
    }

    /// Handles a deadline that has passed without a request.
    func deadlineDidPass() {
        switch stage {
        case .open where frameEnd.map { $0 <= .now() } ?? false: fail(.headerTimeout)
        case .open: drain()
        // The next step has a time of its own.
        case .announced, .draining: break
        case .lingering: abort()
        case .closed: break
        }
    }

    /// Closes the connection at once.
    func abort() {
        let closing = transport?.context
        end()
        closing?.close(promise: nil)
    }

    /// Notes that the connection is closed, and ends its requests.
    func end() {
        guard stage != .closed else { return }
        stage = .closed
        pools.census.remove(self)
        endStreams()
        context = nil
        transport = nil
        wire = nil
        timer.end()
    }

    private func endStreams() {
        let open = streams.values
        streams = [:]
        waiting.removeAll()
        for stream in open { stream.end() }
    }
}

import NIOCore
import NIOHTTP2

/// The frames that the connection writes, and the bytes that go through it.
extension HTTP2Connection {
    /// Writes a frame; it is sent with the next flush.
    func write(_ id: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) {
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    }

    /// Sends the written frames, together with those of other connections.
    func flushSoon() {
        guard !isReading, let context else { return }
        pools.flushQueue.add(context.channel)
    }

    /// Lets the client send more, once enough of its bytes are passed on.
    func growWindow() {
        guard let count = window.increment() else { return }
        write(.rootStream, .windowUpdate(windowSizeIncrement: count))
        flushSoon()
    }

    /// Called by the handler below for each frame, while it writes. It only takes notes.
    func wroteFrame(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .goAway(_, let code, _): if code != .noError { failure = code }
        case .data(let content):
            guard let stream = streams[frame.streamID] else { return }
            unsent -= content.data.readableBytes
            stream.didSend(content.data.readableBytes)
            if stream.isBlocked || !waiting.isEmpty { reviewSoon() }
        default: break
        }
    }

    func reviewSoon() {
        guard !isReviewDue else { return }
        isReviewDue = true
        slot.channel.eventLoop.assumeIsolated().execute {
            self.isReviewDue = false
            self.review()
        }
    }

    /// Tells the streams whether the client accepts more, and decides requests that have waited for that.
    func review() {
        for stream in Array(streams.values) { stream.noteWritability() }
        if !waitsForTurn, !waiting.isEmpty { beginWaiting() }
    }

    // MARK: Bytes

    /// Notes bytes of the client, and returns whether frames are read from them.
    func mayDecode(_ bytes: ByteBuffer) -> Bool {
        let count = bytes.readableBytes
        // Comes first, since after a stall the loop handles sockets before timers.
        pools.stalls.note()
        pools.census.didRead(count, from: self)
        switch stage {
        case .open, .announced, .draining: break
        case .lingering(let left):
            stage = .lingering(bytesLeft: left - count)
            if left < count { abort() }
            return false
        case .closed: return false
        }
        isReading = true
        hasFrame = false
        progress.take(bytes)
        return true
    }

    /// Notes that all frames of the bytes were read. The head of a request has a limited time from its first bytes on, if there are
    /// no bodies that could be what is arriving.
    func didDecode() {
        let (begun, wasBetweenFrames) = (hasFrame ? nil : frameEnd, frameEnd == nil)
        frameEnd = progress.isBetweenFrames ? nil : begun ?? .now() + .seconds(limits.headSeconds)
        // Its rank depends on it, and nothing may be written that would report it.
        if wasBetweenFrames != progress.isBetweenFrames { pools.census.didProgress(self) }
        guard streams.isEmpty, case .open = stage else { return }
        timer.set(min(idleEnd, frameEnd ?? idleEnd))
    }

    func didWrite(_ count: Int) { pools.census.didWrite(count, to: self) }

    func didFlush() { pools.census.didProgress(self) }
}

import NIOCore
import NIOHPACK
import NIOHTTP2

/// One request of HTTP/2. It passes the body to the exchange as fast as that accepts it, and writes the response as frames.
///
/// `+Output` writes, `+Census` tells what it holds. The window grows only by bytes that were passed on, so a client sends no faster than the upstream reads.
final class HTTP2Stream {
    /// The bytes of a frame's head.
    private static let frameHeadBytes = 9
    /// The size up to which frames never count as wasteful, and the greatest ratio of framing to data beyond it.
    private static let (freeFramingBytes, framingFactorMax) = (64 * 1024, 4)

    let id: HTTP2StreamID
    let connection: HTTP2Connection
    let exchange: Exchange
    private(set) var window = ReceiveWindow(
        target: HTTP2Limits.streamWindowBytes, size: HTTP2Limits.streamWindowBytes)
    /// The fields of the request until it is decided, and their size.
    private var fields: HPACKHeaders
    private(set) var fieldBytes: Int
    /// The part of the body that was not passed on.
    private(set) var received = ByteBuffer()
    /// Whether the whole request has arrived, and whether it was passed on.
    private(set) var (hasLast, hasPassedLast) = (false, false)
    private(set) var (hasBegun, isOver, isProceeding) = (false, false, false)
    var expectsContinue = false
    /// Whether the response is one to a broken rule, after which an exchange's connection would be closed.
    var isRefusing = false
    var (hasAnswerBegun, hasAnswerEnded) = (false, false)
    /// An upstream's response on its way to the client.
    var proxied: OutgoingBody?
    /// The bytes of the response that wait for the client's window, and whether the exchange knows that it has to wait.
    var (unsent, isBlocked) = (0, false)
    private var framingBytes = 0
    /// The bytes of the body that have arrived, and those of the response that have left.
    var (readTotal, sentTotal) = (0, 0)
    var rate = RateFloor()
    /// The bytes that the kernel held for the connection to the upstream at the last look.
    var upstreamKernelBytes = 0
    /// The bytes and the time that are left for a body that nothing needs.
    private var (absorbLeft, absorbEnd) = (0, NIODeadline.distantFuture)

    init(
        _ id: HTTP2StreamID, of connection: HTTP2Connection, _ fields: HPACKHeaders, isLast: Bool, _ exchange: Exchange
    ) {
        self.id = id
        self.connection = connection
        self.fields = fields
        fieldBytes = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + HTTP2Limits.fieldBytes }
        self.exchange = exchange
        hasLast = isLast
        exchange.attach(to: self)
        exchange.context.timer.onExpiry = { self.deadlineDidPass() }
    }

    // MARK: The request

    /// Decides the request, or returns `false` if the client has cancelled it or it was refused.
    func begin() -> Bool {
        guard !isOver, !hasAnswerBegun else { return false }
        hasBegun = true
        do throws(HTTPViolation) {
            let head = try head()
            forgetFields()
            expectsContinue = head.expectsContinue
            hasPassedLast = head.framing.isEmpty
            try exchange.begin(head)
        } catch {
            refuse(error)
        }
        proceed()
        return true
    }

    private func forgetFields() { (fields, fieldBytes) = ([:], 0) }

    private func head() throws(HTTPViolation) -> RequestHead {
        var text = try HTTP2RequestHead.text(of: fields, endsStream: hasLast && received.readableBytes == 0)
        var parser = RequestHeadParser(limits: connection.limits.head)
        guard var head = try parser.next(from: &text), text.readableBytes == 0 else { throw .malformedHeader }
        guard connection.covers(head) else { throw .misdirected }
        head.peer = connection.peer
        head.isHTTP2 = true
        return head
    }

    /// Accepts a piece of the body.
    func didReceive(_ bytes: ByteBuffer, padding: Int, isLast: Bool) {
        hasLast = hasLast || isLast
        readTotal += bytes.readableBytes
        framingBytes += Self.frameHeadBytes + padding
        if hasAnswerEnded { return absorb(bytes.readableBytes + Self.frameHeadBytes + padding) }
        if framingBytes > Self.freeFramingBytes, framingBytes / Self.framingFactorMax > readTotal {
            return refuse(.wastefulFraming)
        }
        window.held += bytes.readableBytes
        connection.window.held += bytes.readableBytes
        if received.readableBytes == 0 { received = bytes } else { received.writeImmutableBuffer(bytes) }
        proceed()
        // Copied, since a waiting part would keep the buffer of everything that was read with it.
        if received.readableBytes > 0, received.readableBytes < received.storageCapacity / 2 {
            received = ByteBuffer(bytes: received.readableBytesView)
        }
    }

    /// Accepts the end of the body with fields, which are checked and discarded.
    func didReceive(trailers: HPACKHeaders) {
        hasLast = true
        do throws(HTTPViolation) { try HTTP2RequestHead.judgeTrailers(trailers) } catch { return refuse(error) }
        proceed()
    }

    /// Passes on the body as far as the exchange accepts it.
    func proceed() {
        guard hasBegun, !isOver, !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        do throws(HTTPViolation) {
            while !hasPassedLast, exchange.bodyDemand == .wanted {
                if received.readableBytes > 0 { try passOn() } else if hasLast { passOnEnd() } else { break }
            }
        } catch {
            refuse(error)
        }
        exchange.bodyDidPause()
    }

    private func passOn() throws(HTTPViolation) {
        hasPassedLast = hasLast
        try exchange.bodyDidArrive(takeReceived(), isLast: hasLast)
    }

    private func passOnEnd() {
        hasPassedLast = true
        exchange.bodyDidEnd()
    }

    private func takeReceived() -> ByteBuffer {
        defer { received = ByteBuffer() }
        connection.window.held -= window.held
        window.held = 0
        connection.growWindow()
        growWindow()
        return received
    }

    /// Notes how many bytes the client may still send.
    func windowDidChange(to size: Int) {
        window.didChange(to: size)
        growWindow()
    }

    private func growWindow() {
        guard !hasLast, !isOver, absorbLeft >= 0, let count = window.increment() else { return }
        connection.write(id, .windowUpdate(windowSizeIncrement: count))
        connection.flushSoon()
    }

    // MARK: The end

    /// Refuses a request that breaks the rules. The connection stays.
    func refuse(_ violation: HTTPViolation) {
        guard !isOver, !hasAnswerEnded else { return }
        isRefusing = true
        hasPassedLast = true
        if violation.leavesBody { absorbLeft = connection.limits.absorbedBytesMax }
        let head = RefusedHead(HTTP2RequestHead.refusedText(of: fields), from: connection.peer)
        exchange.refuse(violation, head, isAnswerPossible: !hasAnswerBegun)
        if !hasAnswerEnded { reset(.protocolError) }
        connection.didProvoke()
    }

    /// Notes that the response is written. What is left of the body is read and discarded, since many clients read no response
    /// before they have sent everything.
    func answerDidEnd() {
        hasAnswerEnded = true
        connection.flushSoon()
        guard !hasLast, !isOver else { return }
        if !isRefusing { absorbLeft = connection.limits.absorbedBytesMax }
        absorbEnd = .now() + .seconds(connection.limits.absorbSeconds)
        absorb(takeReceived().readableBytes)
    }

    private func absorb(_ count: Int) {
        guard !hasLast else { return }
        absorbLeft -= count
        // A reset would also discard what is left of the response.
        guard absorbLeft >= 0 || unsent > 0 else { return reset(.noError) }
        growWindow()
        let silence = NIODeadline.now() + .seconds(connection.limits.absorbSilenceSeconds)
        exchange.context.timer.set(min(silence, absorbEnd))
    }

    private func deadlineDidPass() {
        guard hasAnswerEnded else { return exchange.deadlineDidPass(lacksBody: lacksBody) }
        // While the client accepts the response, only its rate counts.
        guard unsent == 0 else { return exchange.context.timer.set(seconds: connection.limits.absorbSilenceSeconds) }
        reset(.noError)
    }

    /// Ends the stream at once.
    func reset(_ code: HTTP2ErrorCode) {
        guard !isOver else { return }
        connection.write(id, .rstStream(code))
        connection.flushSoon()
    }

    /// Notes that the stream is closed.
    func end() {
        guard !isOver else { return }
        isOver = true
        proxied = nil
        received = ByteBuffer()
        forgetFields()
        exchange.context.timer.end()
        exchange.end()
    }

    /// Answers that there is no room, if no response has begun.
    func giveWay() {
        guard !isOver, !hasAnswerBegun else { return }
        let (reply, frame) = exchange.giveUpForLackOfRoom(
            RefusedHead(HTTP2RequestHead.refusedText(of: fields), from: connection.peer))
        isRefusing = true
        write(reply, as: frame)
    }

    /// Whether the stream is not closed.
    var isOpen: Bool { !isOver }
    /// Whether the client has to send more.
    var lacksBody: Bool { !hasLast && received.readableBytes == 0 }
}

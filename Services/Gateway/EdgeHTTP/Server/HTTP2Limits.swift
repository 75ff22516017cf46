import NIOCore
import NIOHTTP2

/// The bounds of a connection of HTTP/2, and the settings that state them to clients.
enum HTTP2Limits {
    static let streamsMax = 100
    /// The bytes of a body that a client may send before they are passed on: on one stream, and on all together.
    static let streamWindowBytes = 256 << 10
    static let connectionWindowBytes = 1 << 20
    /// The bytes of a response that wait for the client's window, on one stream. More are not read from the upstream.
    static let streamUnsentBytesMax = 64 << 10
    /// The bytes of responses that wait for windows, on all streams together, from which no request begins.
    static let unsentBytesMax = 256 << 10
    /// The bytes that a stream takes besides its request and its body. With more than `ConnectionHoldings.requestBytes` the client's
    /// rate is judged as long as there is one.
    static let streamBytes = 2560
    /// The greatest table of compressed fields that a client may state. The library fills it up, and searches it for each field of
    /// a response. Browsers state 64 KiB.
    static let tableBytesMax = 64 << 10
    /// The events of one kind that a connection may have in a period: resets of the client, resets that it provokes, and frames
    /// that only need an acknowledgement.
    static let eventsMax = 200
    static let provokedMax = 100
    static let eventSeconds: Int64 = 30
    /// The bytes that a field counts in the size of a header list, besides its text (RFC 9113 section 6.5.2).
    static let fieldBytes = 32
    private static let continuationsMax = 5
    private static let bufferedControlFramesMax = 1_000

    /// Returns the handler that reads and writes frames.
    ///
    /// It checks frames, the order of a stream's frames, windows, lengths and rates. It does not check fields, which
    /// `HTTP2RequestHead` does, because a client gets a 400 and the operator a reason.
    static func handler(head: HeaderBlock.Limits, delegate: any NIOHTTP2FrameDelegate) -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamsMax),
            HTTP2Setting(parameter: .initialWindowSize, value: streamWindowBytes),
            // A head that HTTP/1.1 would accept fits, and a larger one gets the same response.
            HTTP2Setting(parameter: .maxHeaderListSize, value: 2 * head.bytesMax + fieldBytes * head.fieldsMax),
        ]
        connection.headerBlockValidation = .disabled
        connection.maximumSequentialContinuationFrames = continuationsMax
        connection.maximumBufferedControlFrames = bufferedControlFramesMax
        connection.controlFrameRateLimit.maximumCount = eventsMax
        connection.controlFrameRateLimit.windowLength = .seconds(eventSeconds)
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = eventsMax
        stream.streamResetFrameRateLimit.windowLength = .seconds(eventSeconds)
        stream.streamErrorRateLimit.maximumCount = provokedMax
        stream.streamErrorRateLimit.windowLength = .seconds(eventSeconds)
        return NIOHTTP2Handler(
            mode: .server, frameDelegate: delegate, connectionConfiguration: connection, streamConfiguration: stream)
    }
}

/// The window of bytes that a client may send, on a stream or a connection.
struct ReceiveWindow: Sendable {
    private let target: Int
    private var size: Int
    /// The bytes that have arrived and are not passed on yet.
    var held = 0

    /// - Parameter size: what the client may send at first.
    init(target: Int, size: Int) {
        self.target = target
        self.size = size
    }

    /// Notes how many bytes the client may still send.
    mutating func didChange(to size: Int) { self.size = size }

    /// Returns by how much the window has to grow, or `nil` while that is too little for a frame. Bytes that are not passed on
    /// count as sent.
    mutating func increment() -> Int? {
        let missing = target - size - held
        guard missing >= target / 2 else { return nil }
        size += missing
        return missing
    }
}

/// Counts events in periods, and tells when there are too many.
struct EventCount: Sendable {
    private var start = NIODeadline.uptimeNanoseconds(0)
    private var count = 0

    /// Notes an event, or returns `false` if there were more than `most` in this period.
    mutating func note(most: Int, seconds: Int64, now: NIODeadline = .now()) -> Bool {
        if now - start > .seconds(seconds) { (start, count) = (now, 0) }
        count += 1
        return count <= most
    }
}

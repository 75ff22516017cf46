import NIOCore

/// Follows a client's frames by their lengths, and tells whether one has begun and not ended (RFC 9113 sections 3.4, 4.1 and 6.10).
///
/// The frames' handler keeps unfinished ones to itself.
struct HTTP2FrameProgress: Sendable {
    private static let (prefaceBytes, headerBytes) = (24, 9)
    private static let (headers, continuation, endHeaders): (UInt8, UInt8, UInt8) = (1, 9, 4)

    /// The bytes of the preface or of a payload that are still to come.
    private var left = prefaceBytes
    private var header: [UInt8] = []
    /// Whether CONTINUATION has to follow.
    private var isHeadOpen = false

    /// Whether the last frame, and the fields of its head, are complete.
    var isBetweenFrames: Bool { left == 0 && header.isEmpty && !isHeadOpen }

    mutating func take(_ bytes: ByteBuffer) {
        var rest = bytes.readableBytesView
        while !rest.isEmpty {
            guard left == 0 else {
                let count = min(left, rest.count)
                left -= count
                rest = rest.dropFirst(count)
                continue
            }
            let part = rest.prefix(Self.headerBytes - header.count)
            header += part
            rest = rest.dropFirst(part.count)
            if header.count == Self.headerBytes { beginPayload() }
        }
    }

    private mutating func beginPayload() {
        left = header.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        if header[3] == Self.headers || header[3] == Self.continuation {
            isHeadOpen = header[4] & Self.endHeaders == 0
        }
        header.removeAll(keepingCapacity: true)
    }
}

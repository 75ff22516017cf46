import Glibc

/// A run of ports that belongs to this supervisor while it lives, for the inner ports of one stack.
///
/// They lie below the range from which the system takes ports for outgoing connections: a client's port can never sit
/// where a restarting process wants to listen again. The first port of the block is kept listening, so that two supervisors
/// that start at once choose different blocks.
struct PortBlock: ~Copyable {
    static let range: Range<UInt16> = 20_000..<32_000
    static let size: UInt16 = 100
    private static let triesMax = 200

    private let holder: Int32
    private let end: UInt16
    private var next: UInt16

    /// Takes a block that nobody holds.
    init() throws(StartFailure) {
        let blocks = UInt16(Self.range.count) / Self.size
        for _ in 0..<Self.triesMax {
            let first = Self.range.lowerBound + UInt16.random(in: 0..<blocks) * Self.size
            guard let socket = LoopbackSocket.listen(on: first) else { continue }
            holder = socket
            next = first + 1
            end = first + Self.size
            return
        }
        throw StartFailure("no free ports between \(Self.range.lowerBound) and \(Self.range.upperBound)")
    }

    deinit { close(holder) }

    /// The next port of the block on which nobody else listens.
    mutating func take() throws(StartFailure) -> UInt16 {
        while next < end {
            defer { next += 1 }
            guard let socket = LoopbackSocket.bind(next) else { continue }
            close(socket)
            return next
        }
        throw StartFailure("all inner ports up to \(end) are taken")
    }
}

import Glibc

/// A run of ports that belongs to this supervisor while it runs, for the inner ports of one stack.
///
/// The ports are below the range from which the system assigns ports for outgoing connections, so that a client's port can
/// never be one at which a restarting process listens again. The supervisor keeps listening on the first port of the block, so
/// that two supervisors that start at once choose different blocks.
struct PortBlock: ~Copyable {
    static let range: Range<UInt16> = 20_000..<32_000
    static let size: UInt16 = 100
    private static let triesMax = 200

    private let holder: Int32
    private let end: UInt16
    private var next: UInt16

    /// Reserves a block that no other supervisor has.
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

    /// Returns the next port of the block on which no other process listens, and that no process had as its operations port.
    mutating func take(besides kept: OperationsPorts) throws(StartFailure) -> UInt16 {
        while next < end {
            defer { next += 1 }
            guard !kept.isKept(next), let socket = LoopbackSocket.bind(next) else { continue }
            close(socket)
            return next
        }
        throw StartFailure("all inner ports up to \(end) are taken")
    }
}

import NIOCore
import Synchronization

/// How readily a connection is closed; the first case goes first.
enum ConnectionRank: UInt64, Sendable, CaseIterable, Comparable {
    /// The last response is written; further bytes are discarded.
    case leaving
    /// The connection is between requests.
    case idle
    /// A head or a body is not complete.
    case unfinished
    /// A request is being decided or answered.
    case answering

    static func < (left: ConnectionRank, right: ConnectionRank) -> Bool { left.rawValue < right.rawValue }
}

/// The rank of a connection and the time of its last progress. The lowest rank comes first, then the longest time without progress.
struct Standing: Sendable, Equatable, Comparable {
    private static let timeMask: UInt64 = 1 << 62 - 1
    /// The rank in the bits above the time.
    fileprivate let word: UInt64

    fileprivate init(word: UInt64) { self.word = word }

    /// - Parameter milliseconds: the time of the monotonic clock.
    init(_ rank: ConnectionRank, milliseconds: UInt64) { word = rank.rawValue << 62 | milliseconds & Self.timeMask }

    var rank: ConnectionRank { ConnectionRank(rawValue: word >> 62) ?? .answering }
    var milliseconds: UInt64 { word & Self.timeMask }

    static func < (left: Standing, right: Standing) -> Bool { left.word < right.word }
}

/// The slot of an open connection. Its event loop notes its standing, which other threads that need a slot read without a lock.
final class ConnectionSlot: Sendable {
    /// The index in the table of slots.
    let id: Int
    let channel: any Channel
    let census: ConnectionCensus
    /// The handler that serves the connection now. It is accessed on the channel's event loop.
    let handler: NIOLoopBoundBox<(any ClientConnection)?>
    private let word: Atomic<UInt64>

    init(id: Int, channel: any Channel, census: ConnectionCensus, standing: Standing) {
        self.id = id
        self.channel = channel
        self.census = census
        handler = .makeEmptyBox(valueType: (any ClientConnection).self, eventLoop: channel.eventLoop)
        word = Atomic(standing.word)
    }

    var standing: Standing { Standing(word: word.load(ordering: .relaxed)) }

    func note(_ standing: Standing) { word.store(standing.word, ordering: .relaxed) }
}

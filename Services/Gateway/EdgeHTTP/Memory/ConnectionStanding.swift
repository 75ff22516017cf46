import Synchronization

/// The state of a connection and the time of its last progress. Its event loop writes it, and other threads that look for a slot
/// read it without a lock.
final class ConnectionStanding: Sendable {
    /// The order in which connections lose their slots.
    enum Rank: UInt64, Sendable, CaseIterable {
        /// The last response is written; further bytes are discarded.
        case leaving
        /// The connection is between requests.
        case idle
        /// A head or a body is not complete.
        case unfinished
        /// A request is being decided or answered.
        case answering
    }

    /// One reading: the rank, and the time of the last progress.
    struct Reading: Sendable, Equatable, Comparable {
        /// The rank in the bits above the time, so that the order is that in which slots are lost.
        fileprivate let word: UInt64

        fileprivate init(word: UInt64) { self.word = word }

        /// - Parameter milliseconds: the time of the monotonic clock.
        init(_ rank: Rank, milliseconds: UInt64) { word = rank.rawValue << 62 | milliseconds & (1 << 62 - 1) }

        var rank: Rank { Rank(rawValue: word >> 62) ?? .answering }

        static func < (left: Reading, right: Reading) -> Bool { left.word < right.word }
    }

    private let word: Atomic<UInt64>

    init(_ reading: Reading) { word = Atomic(reading.word) }

    var reading: Reading { Reading(word: word.load(ordering: .relaxed)) }

    func note(_ reading: Reading) { word.store(reading.word, ordering: .relaxed) }
}

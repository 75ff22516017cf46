import Synchronization

/// What a connection is doing and since when: told by its event loop, read by whoever looks for a slot, without a lock.
final class ConnectionStanding: Sendable {
    /// In this order connections lose their slots.
    enum Rank: UInt64, Sendable, CaseIterable {
        /// Answered for the last time; what comes is dropped.
        case leaving
        /// Between requests.
        case resting
        /// A head or a body is not whole.
        case unfinished
        /// A request is decided or answered.
        case answering
    }

    /// One reading: the rank, and when something last moved.
    struct Reading: Sendable, Equatable, Comparable {
        /// The rank above the time, so that the order is that in which slots are lost.
        fileprivate let word: UInt64

        fileprivate init(word: UInt64) { self.word = word }

        /// - Parameter milliseconds: of the monotonic clock.
        init(_ rank: Rank, milliseconds: UInt64) { word = rank.rawValue << 62 | milliseconds & (1 << 62 - 1) }

        var rank: Rank { Rank(rawValue: word >> 62) ?? .answering }

        static func < (left: Reading, right: Reading) -> Bool { left.word < right.word }
    }

    private let word: Atomic<UInt64>

    init(_ reading: Reading) { word = Atomic(reading.word) }

    var reading: Reading { Reading(word: word.load(ordering: .relaxed)) }

    func note(_ reading: Reading) { word.store(reading.word, ordering: .relaxed) }
}

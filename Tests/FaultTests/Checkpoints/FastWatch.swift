import Foundation
import GRDB
import TestSupport

@testable import SQLiteStore

/// Looks at the index of a log thousands of times a second: with tiny checkpoints an impossible state lasts for
/// milliseconds.
final class FastWatch: Sendable {
    private static let pauseMicroseconds: UInt32 = 100
    /// Time between two looks at a suspicious state: the log may have restarted between the loads of the first one.
    private static let secondLookMicroseconds: UInt32 = 100
    private let isOver = Flag()

    /// - Parameter found: Called once, on a thread of its own, when the same impossible state is seen twice.
    init(path: String, found: @escaping @Sendable () -> Void) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let index = try LogIndex(of: try DatabaseQueue(path: path, configuration: configuration))
        Thread.detachNewThread { [isOver] in
            while !isOver.isSet {
                usleep(Self.pauseMicroseconds)
                // While the log restarts, nothing is committed in it.
                guard let first = index.words, first.isImpossible, first.committed > 0 else { continue }
                usleep(Self.secondLookMicroseconds)
                guard let second = index.words, second.isImpossible, second.copied == first.copied else { continue }
                return found()
            }
        }
    }

    func stop() { isOver.set() }
}

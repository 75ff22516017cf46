/// Whose turn it is to bring the write-ahead log into the file: a pure state, changed by what writers and checkpoints tell.
///
/// The log starts again from its front only when all of it is in the file. A checkpoint beside the writer never gets that
/// far while writes go on, so the writer does the short rest between two groups.
struct CheckpointTurn: Sendable, Equatable {
    /// What the writer has to do after a group.
    enum Step: Sendable, Equatable {
        case nothing
        /// Have a checkpoint begin beside it.
        case beginBeside
        /// Do the rest itself.
        case finish
    }

    private enum Phase: Sendable, Equatable {
        case resting, besideWriter, awaitingFinalPass
    }

    private var phase = Phase.resting
    private var writes = 0
    private var rows = 0

    /// The writer has committed a group.
    ///
    /// - Parameters:
    ///   - writeCount: writes in the group.
    ///   - rowCount: rows that they have changed.
    mutating func committed(writes writeCount: Int, rows rowCount: Int) -> Step {
        writes += writeCount
        rows += max(rowCount, 0)
        switch phase {
        case .besideWriter: return .nothing
        case .awaitingFinalPass:
            (phase, writes, rows) = (.resting, 0, 0)
            return .finish
        case .resting:
            guard writes >= SQLiteLimits.checkpointWrites || rows >= SQLiteLimits.checkpointRows else {
                return .nothing
            }
            phase = .besideWriter
            return .beginBeside
        }
    }

    /// The checkpoint beside the writer has ended, whatever it came to.
    mutating func endedBeside() { phase = .awaitingFinalPass }
}

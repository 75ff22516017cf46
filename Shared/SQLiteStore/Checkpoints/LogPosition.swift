/// The end of a write-ahead log: which log it is, and how many frames commits have written to it.
struct LogPosition: Sendable, Equatable {
    /// The two salts of the log's header. A restart from the front raises the first one by 1; another log has random ones.
    let salts: [UInt32]
    let frames: UInt32

    /// Returns the number of frames of this log that are marked already, or `nil` if frames may have been copied into the file
    /// without a mark.
    ///
    /// A log restarts only after all its frames were copied by checkpoints, which mark them. A log with other salts shows that
    /// the last connection was closed meanwhile: it copied the frames and removed the log.
    func framesMarked(by marked: LogPosition) -> UInt32? {
        guard let first = salts.first, let markedFirst = marked.salts.first else { return nil }
        if salts == marked.salts { return frames >= marked.frames ? marked.frames : nil }
        return first == markedFirst &+ 1 ? 0 : nil
    }
}

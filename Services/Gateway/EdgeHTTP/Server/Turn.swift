/// What is left of the work that one connection may have done before all others of its event loop get theirs.
///
/// Counted rather than timed, so that it is the same on every machine; some tenths of a millisecond.
struct Turn: Sendable, Equatable {
    /// Requests that are begun in one turn.
    static let requestsMax = 8
    /// Lines of framing that are read in one turn: a chunk has two.
    static let framingLinesMax = 4096

    private static let requestUnits = framingLinesMax / requestsMax
    private var unitsLeft = framingLinesMax

    /// Whether the rest has to wait.
    var isOver: Bool { unitsLeft <= 0 }
    /// Lines of framing that may still be read.
    var framingLinesLeft: Int { max(0, unitsLeft) }

    mutating func beginRequest() { unitsLeft -= Self.requestUnits }
    /// - Parameter count: at most `framingLinesLeft`.
    mutating func readFramingLines(_ count: Int) { unitsLeft -= count }
    /// All others have had their turn.
    mutating func begin() { unitsLeft = Self.framingLinesMax }
}

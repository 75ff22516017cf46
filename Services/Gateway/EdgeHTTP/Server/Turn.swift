/// The work that one connection may still do before all others of its event loop have their turn.
///
/// It is counted rather than timed, so that it is the same on every machine. It takes about a tenth of a millisecond.
struct Turn: Sendable, Equatable {
    /// The number of requests that are begun in one turn. Every socket with new bytes gets a turn before the loop looks at its
    /// sockets again, so more would delay everyone while thousands of clients pipeline. One would put each request into the queue.
    static let requestsMax = 2
    /// The number of framing lines that are read in one turn; a chunk has two.
    static let framingLinesMax = 4096

    private static let requestUnits = framingLinesMax / requestsMax
    private var unitsLeft = framingLinesMax

    /// Whether further work has to wait.
    var isOver: Bool { unitsLeft <= 0 }
    /// The number of framing lines that may still be read.
    var framingLinesLeft: Int { max(0, unitsLeft) }

    mutating func beginRequest() { unitsLeft -= Self.requestUnits }
    /// - Parameter count: at most `framingLinesLeft`.
    mutating func readFramingLines(_ count: Int) { unitsLeft -= count }
    /// Begins a new turn, since all others have had theirs.
    mutating func begin() { unitsLeft = Self.framingLinesMax }
}

/// A client's connection as its loop's `LoopHoldings` sees it; called on the loop.
protocol HeldConnection: AnyObject {
    /// What it holds, and where it stands among the loop's.
    var holdings: ConnectionHoldings { get set }
    /// How willingly it is ended.
    var rank: ConnectionStanding.Rank { get }
    /// Tells the loop what it holds now.
    func noteHoldings()
    /// Asks what the kernel holds; while memory is short the client may send less ahead.
    func look(isShort: Bool)
    /// Ends a client that is too slow; asked once a second while something moves or is held.
    func judgeRate()
    /// Gives back memory that it needs again only when something comes; asked once a second while nothing moves.
    func rest()
    /// Ends the connection at once, with 503 where an answer is still possible.
    func shed()
}

/// A client's connection as its loop's `LoopHoldings` uses it. It is called on the loop.
protocol HeldConnection: AnyObject {
    /// The bytes that it holds, and its position in the loop's list.
    var holdings: ConnectionHoldings { get set }
    /// How readily the connection is closed.
    var rank: ConnectionStanding.Rank { get }
    /// Reports the bytes that it holds now to the loop.
    func noteHoldings()
    /// Asks how many bytes the kernel holds. While memory is short the client may send less ahead.
    func look(isShort: Bool)
    /// Closes the connection of a client that is too slow. Called once a second while bytes move or are held.
    func judgeRate()
    /// Closes the connection at once, with a 503 if a response is still possible.
    func shed()
}

/// The position of a connection in the order in which connections are closed, whatever runs short. The least is closed first.
///
/// A connection that is spared goes after all others. Before that the largest share goes first, then the lowest rank, then the
/// longest time without progress.
struct ClosingOrder: Sendable, Comparable {
    /// The bytes that an ordinary request makes the gateway hold. When memory runs short, a connection that holds no more is spared,
    /// however little it has transferred, since otherwise new connections would be the first.
    static let ordinaryBytes = 16 * 1024

    let isSpared: Bool
    /// The part of what runs short that is not left to others.
    let share: Double
    let standing: Standing

    /// The order when slots run short. A connection that is being answered is spared.
    ///
    /// - Parameter share: the connections of its client.
    init(share: Double, standing: Standing) {
        isSpared = standing.rank == .answering
        self.share = share
        self.standing = standing
    }

    /// The order when memory runs short.
    ///
    /// - Parameters:
    ///   - held: the bytes that the connection makes the gateway hold. The share is these for each byte transferred.
    ///   - moved: the bytes transferred in the last second.
    ///   - fixed: the part of `held` that it holds as long as it is open.
    init(held: Int, moved: Int, fixed: Int = MemoryBudget.connectionBytes, standing: Standing) {
        isSpared = held <= Self.ordinaryBytes + fixed - MemoryBudget.connectionBytes
        share = Double(held) / Double(max(1, moved))
        self.standing = standing
    }

    static func < (left: ClosingOrder, right: ClosingOrder) -> Bool {
        if left.isSpared != right.isSpared { return right.isSpared }
        return left.share == right.share ? left.standing < right.standing : left.share > right.share
    }
}

/// The order in which connections are closed when memory runs out.
enum ShedOrder {
    /// The bytes that an ordinary request makes the gateway hold. A connection that holds no more is closed last, however little it
    /// has transferred, since otherwise new connections would be the first.
    static let ordinaryBytes = 16 * 1024

    /// The cost and the activity of a connection.
    struct Cost: Sendable {
        /// The bytes that it makes the gateway hold.
        let held: Int
        /// The bytes transferred in the last second.
        let moved: Int
        /// The part of `held` that it holds as long as it is open.
        var fixed = MemoryBudget.connectionBytes

        /// The bytes held for each byte transferred.
        fileprivate var perMovedByte: Double { Double(held) / Double(max(1, moved)) }
        fileprivate var isOrdinary: Bool { held <= ordinaryBytes + fixed - MemoryBudget.connectionBytes }
    }

    /// Returns the positions of the connections that hold most for the bytes they transfer, worst first, until so many bytes are
    /// free.
    ///
    /// - Parameter sparesOrdinary: whether connections that hold no more than an ordinary request are left out.
    static func worst(of costs: [Cost], toFree bytes: Int, sparesOrdinary: Bool = false) -> [Int] {
        let candidates = costs.indices.filter { !sparesOrdinary || !costs[$0].isOrdinary }
        let order = candidates.map { (place: $0, isOrdinary: costs[$0].isOrdinary, cost: costs[$0].perMovedByte) }
            .sorted { $0.isOrdinary == $1.isOrdinary ? $0.cost > $1.cost : $1.isOrdinary }
        var left = bytes
        var chosen: [Int] = []
        for (place, _, _) in order where left > 0 {
            guard costs[place].held > 0 else { break }
            left -= costs[place].held
            chosen.append(place)
        }
        return chosen
    }
}

extension ShedOrder.Cost {
    init(_ holdings: ConnectionHoldings) {
        self.init(held: holdings.counted, moved: holdings.moved, fixed: holdings.fixedBytes)
    }
}

/// Which connections go when memory runs out.
enum ShedOrder {
    /// What an ordinary request makes us hold; whoever holds no more goes last, however little has moved: a newcomer would
    /// else be the first.
    static let ordinaryBytes = 16 * 1024

    /// What a connection costs and does.
    struct Cost: Sendable {
        /// Bytes that it makes us hold.
        let held: Int
        /// Bytes that came or went in the last second.
        let moved: Int
        /// Of `held`, what it holds as long as it is open.
        var fixed = MemoryBudget.connectionBytes

        /// Bytes held for each byte moved.
        fileprivate var perMovedByte: Double { Double(held) / Double(max(1, moved)) }
        fileprivate var isOrdinary: Bool { held <= ordinaryBytes + fixed - MemoryBudget.connectionBytes }
    }

    /// The places of those that hold most for what they move, worst first, until so many bytes are free.
    static func worst(of costs: [Cost], toFree bytes: Int) -> [Int] {
        let order = costs.indices.map { (place: $0, isOrdinary: costs[$0].isOrdinary, cost: costs[$0].perMovedByte) }
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

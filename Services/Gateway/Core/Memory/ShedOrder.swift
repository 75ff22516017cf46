/// Which connections go when memory runs out.
enum ShedOrder {
    /// What a connection costs and does.
    struct Cost: Sendable {
        /// Bytes that it makes us hold.
        let held: Int
        /// Bytes that came or went in the last second.
        let moved: Int

        /// Bytes held for each byte moved.
        fileprivate var perMovedByte: Double { Double(held) / Double(max(1, moved)) }
    }

    /// The places of those that hold most for what they move, worst first, until so many bytes are free.
    static func worst(of costs: [Cost], toFree bytes: Int) -> [Int] {
        let order = costs.indices.map { (place: $0, cost: costs[$0].perMovedByte) }.sorted { $0.cost > $1.cost }
        var left = bytes
        var chosen: [Int] = []
        for (place, _) in order where left > 0 {
            guard costs[place].held > 0 else { break }
            left -= costs[place].held
            chosen.append(place)
        }
        return chosen
    }
}

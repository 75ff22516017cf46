/// Rounds of two builds, each beside one of the other's.
package struct Pairs<Round: Sendable>: Sendable {
    package let ours: [Round]
    package let theirs: [Round]

    /// Has both do `count` rounds in turn, after one of each that warms caches and connections up and does not count.
    ///
    /// The order alternates: if the machine slows down meanwhile, it does so for both. Both get the number of the round, 0
    /// for the one that does not count.
    package static func run(
        _ count: Int, ours: (Int) async throws -> Round, theirs: (Int) async throws -> Round
    ) async throws -> Pairs {
        var (ourRounds, theirRounds): ([Round], [Round]) = ([], [])
        for turn in 0...count {
            if turn.isMultiple(of: 2) { ourRounds.append(try await ours(turn)) }
            theirRounds.append(try await theirs(turn))
            if !turn.isMultiple(of: 2) { ourRounds.append(try await ours(turn)) }
        }
        return Pairs(ours: Array(ourRounds.dropFirst()), theirs: Array(theirRounds.dropFirst()))
    }
}

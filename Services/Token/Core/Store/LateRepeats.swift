/// The number of successive generations of a session whose response was fetched again late.
///
/// A client derives its `Idempotency-Key` from the session's secret and the token, so a thief who has both keeps step with
/// the owner: in each generation one of them rotates, and the other repeats that late. An app that the system suspends
/// after each background refresh looks the same, so a run is recorded and ends the session only if the policy says so.
package struct LateRepeats: Sendable, Equatable {
    /// The length of a run from which it is recorded as such.
    package static let remarkable: Int64 = 5

    /// The number of successive generations with a late repeat, up to and including `generation`.
    package let count: Int64
    /// The session's generation at the last late repeat; 0 if there was none.
    package let generation: Int64

    package init(count: Int64 = 0, generation: Int64 = 0) {
        self.count = count
        self.generation = generation
    }

    /// Returns the run with a late repeat at `generation`: counted once in each, and starting again after a gap.
    func counting(generation: Int64) -> LateRepeats {
        guard generation != self.generation else { return self }
        let isNext = generation - 1 == self.generation
        return LateRepeats(count: isNext ? count + 1 : 1, generation: generation)
    }
}

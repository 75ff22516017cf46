/// Two marks in the history of a page's session. They bound how old a token is that another tab may still present.
///
/// The row keeps no history of tokens. Every token from a mark's generation on was replaced after the mark's time, so two marks that
/// are moved on in turn suffice: a token that was replaced within the window before the newest rotation is always covered, and none
/// that was replaced earlier than two windows before it.
package struct RotationMarks: Sendable, Equatable {
    /// A generation and the time at which it began, in Unix seconds.
    package struct Mark: Sendable, Equatable {
        package var generation: Int64
        package var at: Int64

        package init(generation: Int64 = 0, at: Int64 = 0) {
            self.generation = generation
            self.at = at
        }
    }

    package var newer: Mark
    package var older: Mark

    package init(newer: Mark = Mark(), older: Mark = Mark()) {
        self.newer = newer
        self.older = older
    }

    /// The marks of a session that begins at `now`.
    package init(beginningAt now: Int64) { self.init(newer: Mark(at: now), older: Mark(at: now)) }

    /// Returns the marks after the rotation to `generation` at `now`. A clock that is set back by more than the window counts as one
    /// that has moved on.
    func rotated(to generation: Int64, at now: Int64, windowSeconds: Int64) -> RotationMarks {
        guard Self.distance(now, newer.at) > windowSeconds else { return self }
        return RotationMarks(newer: Mark(generation: generation, at: now), older: newer)
    }

    /// Returns the lowest generation whose token was replaced within the window, which may be twice as long as `windowSeconds`.
    ///
    /// - Parameters:
    ///   - current: the session's generation, whose predecessor always counts.
    ///   - rotatedAt: the time of the newest rotation.
    func lowestGeneration(current: Int64, rotatedAt: Int64, windowSeconds: Int64) -> Int64 {
        let mark = [older, newer].first { Self.difference(rotatedAt, $0.at) <= 2 * windowSeconds }
        return min(current, mark?.generation ?? current) - 1
    }

    /// Returns the marks after an answer at `now` to a token of `lowest` or a later generation. Other tabs that have the same cookie
    /// may present it until a window later, although the next rotation comes in between.
    func answered(from lowest: Int64, at now: Int64) -> RotationMarks {
        let mark = Mark(generation: lowest + 1, at: now)
        return RotationMarks(newer: mark, older: mark)
    }

    private static func difference(_ later: Int64, _ earlier: Int64) -> Int64 {
        let (seconds, isOverflow) = later.subtractingReportingOverflow(earlier)
        return isOverflow ? .max : seconds
    }

    private static func distance(_ one: Int64, _ other: Int64) -> Int64 {
        difference(max(one, other), min(one, other))
    }
}

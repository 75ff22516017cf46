import Testing

@testable import TokenCore

/// The two marks that replace a history of a page's tokens.
@Suite struct RotationMarksTests {
    fileprivate static let window: Int64 = 120

    /// A session that was rotated at the given times, and what its marks say after each.
    private struct Life {
        var marks = RotationMarks(beginningAt: 1_000)
        /// The times at which the generations began.
        var times: [Int64] = [1_000]

        mutating func rotate(at now: Int64, windowSeconds: Int64 = RotationMarksTests.window) {
            marks = marks.rotated(to: Int64(times.count), at: now, windowSeconds: windowSeconds)
            times.append(now)
        }

        func lowest(windowSeconds: Int64 = RotationMarksTests.window) -> Int64 {
            marks.lowestGeneration(
                current: Int64(times.count - 1), rotatedAt: times[times.count - 1], windowSeconds: windowSeconds)
        }
    }

    @Test(arguments: 0..<200)
    func `a token replaced within the window counts, and none that was replaced two windows before`(seed: Int) {
        var generator = Numbers(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
        var life = Life()
        for _ in 0..<60 {
            let pauses: [Int64] = [0, 1, 30, 59, 60, 61, 119, 120, 121, 239, 240, 241, 5_000]
            life.rotate(at: life.times[life.times.count - 1] + pauses[generator.next(pauses.count)])
            let (newest, lowest) = (life.times[life.times.count - 1], life.lowest())
            for generation in 0..<life.times.count - 1 {
                // The token of a generation was replaced when the next one began.
                let age = newest - life.times[generation + 1]
                if age <= Self.window { #expect(generation >= lowest, "\(life.times), \(generation)") }
                if age > 2 * Self.window { #expect(generation < lowest, "\(life.times), \(generation)") }
            }
        }
    }

    @Test func `the token before the newest one counts, however long ago the one before was replaced`() {
        var life = Life()
        for now in [1_000, 4_600, 8_200, 1_000_000] as [Int64] {
            life.rotate(at: now)
            #expect(life.lowest() <= Int64(life.times.count - 2))
        }
        #expect(life.lowest() == Int64(life.times.count - 2))
        // A row from before marks, and one of a policy that did not move them.
        #expect(RotationMarks().lowestGeneration(current: 7, rotatedAt: 1_000_000, windowSeconds: Self.window) == 6)
    }

    @Test func `an answer extends the time of the tokens that it counts for, once`() {
        var life = Life()
        for now in [1_000, 1_001, 1_002] as [Int64] { life.rotate(at: now) }
        #expect(life.lowest() == -1)
        // An hour later a tab presents an old token, another rotates, and a third one has the old token too.
        life.marks = life.marks.answered(from: 0, at: 4_600)
        #expect(life.lowest() == 0)
        life.rotate(at: 4_720)
        #expect(life.lowest() == 0)
        life.rotate(at: 4_840)
        #expect(life.lowest() == 0)
        life.rotate(at: 4_961)
        #expect(life.lowest() > 0)
    }

    @Test func `a clock that is set back prolongs nothing by more than the step, nor does it take a burst apart`() {
        var life = Life()
        for now in [10_000, 10_001, 10_000, 9_999, 10_002] as [Int64] { life.rotate(at: now) }
        // Two processes whose clocks differ by some seconds: the whole burst counts.
        #expect(life.lowest() <= 0)
        for now in [5_000, 5_001] as [Int64] { life.rotate(at: now) }
        #expect(life.lowest() <= 4)
        for now in [5_121, 5_242, 5_363] as [Int64] { life.rotate(at: now) }
        #expect(life.lowest() >= 5)
    }

    @Test func `no times overflow`() {
        var marks = RotationMarks(newer: .init(at: .max), older: .init(at: .min))
        marks = marks.rotated(to: 1, at: .min, windowSeconds: 600)
        #expect(marks.newer.at == .min)
        #expect(marks.lowestGeneration(current: 1, rotatedAt: .max, windowSeconds: 600) <= 0)
    }

    /// Numbers that a seed determines.
    private struct Numbers {
        var state: UInt64

        mutating func next(_ count: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(count))
        }
    }
}

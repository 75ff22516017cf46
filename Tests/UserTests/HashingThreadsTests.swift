import Policies
import ServiceKit
import Testing

@testable import UserCore

/// How many threads hash passwords, and what stops a start.
@Suite struct HashingThreadsTests {
    @Test(arguments: [(nil, 2, 2), ("", 3, 3), (nil, 64, 4), (nil, 0, 1), ("1", 8, 1), ("4", 1, 4)])
    func `as many as are asked for, or as there are cores, four at most`(
        setting: String?, cores: Int, count: Int
    ) throws {
        #expect(try HashingThreads.count(setting, cores: cores) == count)
    }

    @Test(arguments: ["0", "5", "-1", "two", "2 ", "99999999999999999999"])
    func `another number stops the start`(setting: String) {
        #expect(throws: SettingsError.self) { try HashingThreads.count(setting, cores: 2) }
    }

    @Test func `half of the memory is enough, and a byte less stops the start`() throws {
        let cost = try #require(PasswordCost(memoryKiB: 65_536, iterations: 2))
        let needed = 4 * 65_536 * 1_024
        try HashingThreads.requireRoom(for: 4, cost, in: 2 * needed)
        let refused = #expect(throws: SettingsError.self) {
            try HashingThreads.requireRoom(for: 4, cost, in: 2 * needed - 1)
        }
        #expect(refused.map { "\($0)".contains("PASSWORD_THREADS") } == true)
    }

    @Test func `a hash of another system fills what is left, and what one of ours fills at least`() {
        let left = { HashingThreads.foreignMemoryKiBMax(beside: 4, .standard, in: $0 << 20) }
        #expect(left(256) == 196_608 - 4 * 19_456 && left(1_024) > 131_072)
        #expect(left(128) == 19_456 && left(0) == 19_456)
    }

    @Test func memoryIsGivenBackOnceAfterManyHashes() {
        var rest = HashingThreads.Rest()
        let answers = [0, 63, 63, 64, 64, 64, 200, 300, 300, 300].map { rest.isDue(hashCount: $0) }
        #expect(answers == [false, false, false, false, true, false, false, false, true, false])
    }
}

import Testing

@testable import RedisClient

@Suite struct MasterBeliefTests {
    private static let start = ContinuousClock.now
    private static let (old, new) = (RedisAddress.tcp(host: "a", port: 1), RedisAddress.tcp(host: "b", port: 1))

    private static func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private static func answer(
        _ master: RedisAddress?, at milliseconds: Int, took: Int = 0, from sentinel: Int
    ) -> MasterBelief.Answer {
        MasterBelief.Answer(
            sentinel: "id \(sentinel)", master: master, sentAt: at(milliseconds), receivedAt: at(milliseconds + took))
    }

    private static func belief(_ answers: [(Int, RedisAddress?, Int)], of count: Int = 3) -> MasterBelief {
        var belief = MasterBelief(sentinelCount: count)
        for (sentinel, master, time) in answers {
            belief.note(answer(master, at: time, from: sentinel), from: sentinel)
        }
        return belief
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3)])
    func `a master is believed once a majority of all Sentinels names it`(count: Int, quorum: Int) {
        var belief = MasterBelief(sentinelCount: count)
        for sentinel in 0..<quorum {
            #expect(belief.master(at: Self.at(sentinel)) == nil)
            belief.note(Self.answer(Self.old, at: sentinel, from: sentinel), from: sentinel)
        }
        #expect(belief.master(at: Self.at(quorum)) == Self.old)
    }

    @Test func `one Sentinel that answers often is not two`() {
        let belief = Self.belief([(0, Self.old, 0), (0, Self.old, 10), (0, Self.old, 20)])
        #expect(belief.master(at: Self.at(20)) == nil)
    }

    @Test func `two names of one Sentinel are not two`() {
        var belief = MasterBelief(sentinelCount: 3)
        for place in 0...1 { belief.note(Self.answer(Self.old, at: place, from: 0), from: place) }
        #expect(belief.majority == nil)
        #expect(belief.twin(of: 1) == 0)
        #expect(belief.twin(of: 0) == nil)
        belief.note(Self.answer(Self.old, at: 2, from: 1), from: 2)
        #expect(belief.master(at: Self.at(3)) == Self.old)
        #expect(belief.twin(of: 2) == nil)
    }

    @Test func `an answer counts from its question on, and the older of two ends the majority`() {
        let belief = Self.belief([(0, Self.old, 0), (1, Self.old, 500)])
        #expect(belief.master(at: Self.at(1_899)) == Self.old)
        #expect(belief.master(at: Self.at(1_900)) == nil)
        // The third one's answer renews it: now the question at 500 is the oldest of a majority.
        var renewed = belief
        renewed.note(Self.answer(Self.old, at: 600, from: 2), from: 2)
        #expect(renewed.master(at: Self.at(2_399)) == Self.old)
        #expect(renewed.master(at: Self.at(2_400)) == nil)
    }

    @Test func `disagreement, an unknown name and silence are no majority`() {
        #expect(Self.belief([(0, Self.old, 0), (1, Self.new, 0)]).majority == nil)
        #expect(Self.belief([(0, nil, 0), (1, nil, 0), (2, nil, 0)]).majority == nil)
        var belief = Self.belief([(0, Self.old, 0), (1, Self.old, 0)])
        belief.note(nil, from: 1)
        #expect(belief.majority == nil)
    }

    @Test func `another master is believed at once, and settled when every earlier answer is over`() {
        var belief = Self.belief([(0, Self.old, 0), (1, Self.old, 0), (2, Self.old, 0)])
        belief.note(Self.answer(Self.new, at: 1_000, from: 0), from: 0)
        #expect(belief.master(at: Self.at(1_001)) == Self.old)
        belief.note(Self.answer(Self.new, at: 1_000, took: 200, from: 1), from: 1)
        #expect(belief.master(at: Self.at(1_201)) == Self.new)
        for time in [1_700, 2_400, 3_100] {
            for sentinel in 0...1 { belief.note(Self.answer(Self.new, at: time, from: sentinel), from: sentinel) }
        }
        #expect(!belief.isSettled(at: Self.at(3_199)))
        #expect(belief.isSettled(at: Self.at(3_200)))
    }

    @Test func `a master that was not confirmed for a while is settled anew`() {
        var belief = Self.belief([(0, Self.old, 0), (1, Self.old, 0)])
        for sentinel in 0...1 { belief.note(Self.answer(Self.old, at: 1_900, from: sentinel), from: sentinel) }
        #expect(belief.isSettled(at: Self.at(2_000)))
        for sentinel in 0...1 { belief.note(Self.answer(Self.old, at: 5_000, from: sentinel), from: sentinel) }
        #expect(belief.master(at: Self.at(5_001)) == Self.old)
        #expect(!belief.isSettled(at: Self.at(6_800)))
        for sentinel in 0...1 { belief.note(Self.answer(Self.old, at: 6_500, from: sentinel), from: sentinel) }
        #expect(belief.isSettled(at: Self.at(7_000)))
    }

    @Test func `a belief that is over settles nothing`() {
        let belief = Self.belief([(0, Self.old, 0), (1, Self.old, 0)])
        #expect(!belief.isSettled(at: Self.at(9_000)))
    }

    @Test func `the reply of a Sentinel is read`() {
        #expect(
            SentinelReply.master(.array([.string(Array("::1".utf8)), .string(Array("6379".utf8))]))
                == .tcp(host: "::1", port: 6_379))
        for reply: RedisValue in [
            .null, .array([]), .status("OK"), .array([.string([]), .string(Array("1".utf8))]),
            .array([.string(Array("a".utf8)), .string(Array("0".utf8))]),
            .array([.string(Array("a".utf8)), .string(Array("65536".utf8))]),
        ] {
            #expect(SentinelReply.master(reply) == nil)
        }
    }

    @Test func `replicas are read, but not those without an address`() {
        func words(_ text: String) -> RedisValue {
            .array(text.split(separator: " ").map { .string(Array($0.utf8)) })
        }
        let replicas = [words("name a ip redis-2 port 6379"), words("name b ip 10.0.0.2 port 0"), words("name port")]
        #expect(SentinelReply.replicas(.array(replicas)) == [.tcp(host: "redis-2", port: 6_379)])
        #expect(SentinelReply.replicas(.null).isEmpty)
    }

    @Test func `other Sentinels are counted, but not those without an address`() {
        func words(_ text: String) -> RedisValue {
            .array(text.split(separator: " ").map { .string(Array($0.utf8)) })
        }
        #expect(SentinelReply.othersCount(.array([])) == 0)
        let others = [words("name a ip 10.0.0.1 port 26379"), words("name b ip 10.0.0.2 port 0"), words("name c")]
        #expect(SentinelReply.othersCount(.array(others)) == 2)
    }
}

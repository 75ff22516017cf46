import Testing

@testable import ServiceCalls

/// The order in which a call tries the replicas of a service.
@Suite struct SilentReplicasTests {
    private let silent = SilentReplicas<Int>(pause: .seconds(5), trial: .milliseconds(500))

    private func order(from first: Int = 0, after time: Duration = .zero) -> [Int] {
        limits(from: first, after: time).map(\.0)
    }

    private func limits(from first: Int, after time: Duration) -> [(Int, limit: Duration?)] {
        let turns = (first..<first + 3).map { $0 % 3 }
        return silent.order(of: turns, now: .now + time).map { (turns[$0.place], $0.limit) }
    }

    @Test func `all take turns, and the first one comes again at the end`() {
        #expect(order(from: 0) == [0, 1, 2, 0])
        #expect(order(from: 2) == [2, 0, 1, 2])
    }

    @Test func `a replica that gave no response is called last`() {
        silent.note(0, isSilent: true)
        #expect(order() == [1, 2, 1, 0])
    }

    @Test func `after a while one call tries it for a short time, and the next calls do not`() {
        silent.note(0, isSilent: true)
        let tried = limits(from: 0, after: .seconds(6))
        #expect(tried.map(\.0) == [0, 1, 2, 1])
        #expect(tried.map(\.limit) == [.milliseconds(500), nil, nil, nil])
        #expect(order(after: .seconds(6)) == [1, 2, 1, 0])
    }

    @Test func `a response makes it one of all again`() {
        silent.note(0, isSilent: true)
        silent.note(0, isSilent: false)
        #expect(order() == [0, 1, 2, 0])
    }

    @Test func `without another one a silent replica has the whole time`() {
        for replica in 0..<3 { silent.note(replica, isSilent: true) }
        let all = limits(from: 1, after: .zero)
        #expect(all.map(\.0) == [1, 2, 0, 1])
        #expect(all.allSatisfy { $0.limit == nil })
    }
}

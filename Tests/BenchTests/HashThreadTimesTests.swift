import BenchCore
import Testing

/// Which threads are charged with hashing.
@Suite struct HashThreadTimesTests {
    /// proc(5): name, state, nine numbers, utime, stime, two of the children, priority, nice.
    private static func stat(nice: Int) -> String {
        "7 (NIO-hash (1)) R 1 1 1 0 -1 4194368 99 0 0 0 120 30 0 0 \(20 + nice) \(nice) 9 0 1000 2000"
    }

    @Test func `a thread at the lowest priority is, by both of its times`() throws {
        #expect(try HashThreadTimes.seconds(parsing: Self.stat(nice: 19)) == 1.5)
    }

    @Test func `every other thread is not`() throws {
        #expect(try HashThreadTimes.seconds(parsing: Self.stat(nice: 0)) == 0)
    }

    @Test func `a text of another form is told`() {
        #expect(throws: ProcessTimes.Unreadable.self) { try HashThreadTimes.seconds(parsing: "7 NIO R 1 2") }
        #expect(throws: ProcessTimes.Unreadable.self) { try HashThreadTimes.seconds(parsing: "7 (NIO) R 1 2") }
    }
}

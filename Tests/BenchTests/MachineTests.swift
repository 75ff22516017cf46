import Foundation
import Glibc
import Testing

@testable import BenchCore

struct MachineTests {
    @Test func `times count user, kernel and ended children, whatever the name looks like`() throws {
        let stat = "17 (a) b (c) S 1 17 17 0 -1 4194560 900 0 3 0 250 50 7 3 20 0 4 0 1000 1 2"
        #expect(try ProcessTimes(parsing: stat).seconds == 3.1)
    }

    @Test(arguments: [
        "", "17 (x", "17 (x) S 1 2 3", "17 (x) S 1 17 17 0 -1 4194560 900 0 3 0 a 50 7 3 20 0", "7 NIO R 1",
    ])
    func `a text of another form is refused`(stat: String) {
        #expect(throws: UnexpectedReply.self) { try ProcessTimes(parsing: stat) }
    }

    @Test func `a thread at the lowest priority hashes, every other one does not`() throws {
        // proc(5): name, state, ten numbers, utime, stime, two of the children, priority, nice.
        func stat(nice: Int) -> String {
            "7 (NIO-hash (1)) R 1 1 1 0 -1 4194368 99 0 0 0 120 30 0 0 \(20 + nice) \(nice) 9 0 1000 2000"
        }
        #expect(try ProcessTimes.secondsOfHashing(parsing: [stat(nice: 19), stat(nice: 0), stat(nice: 19)]) == 3)
        #expect(try ProcessTimes.secondsOfHashing(parsing: [stat(nice: 0)]) == 0)
    }

    @Test func `our own process has used time and memory`() throws {
        #expect(try ProcessTimes(of: getpid()).seconds >= 0)
        #expect(try ProcessMemory.resident(getpid()) > 1)
        #expect(throws: UnexpectedReply.self) { try ProcessTimes(of: -1) }
        #expect(throws: UnexpectedReply.self) { try ProcessMemory.resident(-1) }
    }

    @Test func `memory is read in megabytes`() throws {
        let status = "VmRSS:\t   40960 kB\nRssAnon:\t 10240 kB\nVmHWM:\t 51200 kB\n"
        #expect(try ProcessMemory.megabytes("VmRSS", parsing: status) == 40)
        #expect(try ProcessMemory.megabytes("RssAnon", parsing: status) == 10)
        #expect(throws: UnexpectedReply.self) { try ProcessMemory.megabytes("RssFile", parsing: status) }
    }

    @Test func `a machine is not busy while it is idle or waits for a disk`() {
        #expect(Machine.busySeconds(parsing: "cpu  100 0 50 9000 700 0 20 30 5 0\ncpu0 1 2 3") == 2)
        #expect(Machine.busySeconds(parsing: "") == 0)
    }

    @Test func `replicas count for their service, and a process that was started again spoils the count`() throws {
        let before = Clocks(seconds: ["otp": 1, "otp-2": 2, "sample-api": 1], processes: ["otp": 1])
        let after = Clocks(seconds: ["otp": 2, "otp-2": 5, "sample-api": 1], processes: ["otp": 1])
        #expect(try after.used(since: before) == ["otp": 4, "sample-api": 0])
        let again = Clocks(seconds: ["otp": 2], processes: ["otp": 2])
        #expect(throws: Clocks.Restarted.self) { try again.used(since: before) }
    }

    @Test func `what an operation costs is its charged processes' share`() throws {
        let before = Clocks(seconds: ["gateway": 1, "token": 1, "inbox": 1], processes: [:])
        let after = Clocks(seconds: ["gateway": 2, "token": 4, "inbox": 9], processes: [:])
        let costs = try after.costs(of: 1000, since: before, charged: ["gateway", "token"], atMost: 4500)
        #expect(costs.value("cpu.total") == 4000 && costs.value("cpu.inbox") == 8000 && costs.value("rate") > 0)
        #expect(costs.filter { $0.bound != nil }.map(\.name) == ["cpu.total"])
    }
}

import Foundation
import Glibc
import TestSupport
import Testing

@testable import BenchCore

struct MachineTests {
    @Test func `times count user, kernel and ended children, whatever the name looks like`() throws {
        let stat = "17 (a) b (c) S 1 17 17 0 -1 4194560 900 0 3 0 250 50 7 3 20 0 4 0 1000 1 2"
        #expect(try ProcessTimes(parsing: stat).seconds == 3.1)
    }

    @Test(arguments: ["", "17 (x", "17 (x) S 1 2 3", "17 (x) S 1 17 17 0 -1 4194560 900 0 3 0 a 50 7 3 20"])
    func `a text of another form is refused`(stat: String) {
        #expect(throws: ProcessTimes.Unreadable.self) { try ProcessTimes(parsing: stat) }
    }

    @Test func `our own process has used time and memory`() throws {
        #expect(try ProcessTimes(of: getpid()).seconds >= 0)
        let memory = try ProcessMemory(of: getpid())
        #expect(memory.resident > 1 && memory.anonymous + memory.file <= memory.resident + 0.01)
        #expect(throws: ProcessTimes.Unreadable.self) { try ProcessTimes(of: -1) }
    }

    @Test func `memory is read in megabytes`() throws {
        let memory = try ProcessMemory(parsing: "VmRSS:\t   40960 kB\nRssAnon:\t 10240 kB\nRssFile:\t 30720 kB\n")
        #expect(memory.resident == 40 && memory.anonymous == 10 && memory.file == 30)
        #expect(throws: ProcessTimes.Unreadable.self) { try ProcessMemory(parsing: "VmRSS: 1 kB\n") }
    }

    @Test func `a machine is not busy while it is idle or waits for a disk`() {
        #expect(Machine.busySeconds(parsing: "cpu  100 0 50 9000 700 0 20 30 5 0\ncpu0 1 2 3") == 2)
        #expect(Machine.busySeconds(parsing: "") == 0)
    }

    @Test func `replicas count for their service`() throws {
        let before = CPULedger(seconds: ["otp": 1, "otp-2": 2, "sample-api": 1], processes: ["otp": 1])
        let after = CPULedger(seconds: ["otp": 2, "otp-2": 5, "sample-api": 1], processes: ["otp": 1])
        #expect(try after.used(since: before) == ["otp": 4, "sample-api": 0])
    }

    @Test func `a process that was started again spoils the count`() {
        let before = CPULedger(seconds: ["otp": 1], processes: ["otp": 1])
        let after = CPULedger(seconds: ["otp": 2], processes: ["otp": 2])
        #expect(throws: CPULedger.Restarted.self) { try after.used(since: before) }
    }

    @Test func `an environment is read as the kernel shows it`() {
        let variables = ProcessTwin.variables(Array("A=1\0B=x=y\0C=\0odd\0".utf8))
        #expect(variables == ["A": "1", "B": "x=y", "C": ""])
    }
}

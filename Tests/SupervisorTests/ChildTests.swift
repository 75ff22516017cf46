import FoundationEssentials
import Glibc
import ServiceKit
import Testing

@testable import SupervisorCore

@Suite struct ChildTests {
    @Test func `wait's status is told as exit code or signal`() {
        #expect(Child.description(of: 3 << 8) == "exit code 3")
        #expect(Child.description(of: 9) == "signal 9")
    }

    /// A child that bash is, with a log and a pid file of its own.
    private func withChild(_ script: String, _ body: (inout Child, DataDirectory) throws -> Void) throws {
        let data = DataDirectory(FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString)
        try data.create()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: data.path) } }
        let spec = ProcessSpec(
            name: "bash", executable: "/bin/bash", arguments: ["-c", script], environment: [:], servicePort: 1,
            opsPort: nil, takesPublicSockets: false, stopPhase: .services)
        var child = Child(spec, now: .now)
        try body(&child, data)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [(ProcessEnding.wrongSettings, true), (.failure, false)])
    func `a process that says that its settings are wrong is not started again`(
        status: ProcessEnding, isEnd: Bool
    ) throws {
        try withChild("echo otp: POLICY: line 3; exit \(status.rawValue)") { child, data in
            try Data("an earlier start\n".utf8).write(to: URL(filePath: data.logFile("bash")))
            let now = ContinuousClock.now
            _ = try child.startIfDue(in: data, publicSockets: [], now: now)
            var ending: Child.Ending?
            while ending == nil { ending = child.reap(in: data, now: now) }
            #expect(ending == .init(how: "exit code \(status.rawValue)", wait: isEnd ? nil : RestartBackoff.shortest))
            #expect(child.lastWords(in: data) == "otp: POLICY: line 3\n")
            _ = try child.startIfDue(in: data, publicSockets: [], now: now + .seconds(60))
            #expect((child.process == nil) == isEnd)
            while child.process != nil { _ = child.reap(in: data, now: now) }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a process that ends is noticed, logged and due again after its wait`() throws {
        let data = DataDirectory(FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString)
        try data.create()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: data.path) } }
        let spec = ProcessSpec(
            name: "echo", executable: "/bin/echo", arguments: ["last words"], environment: [:], servicePort: 1,
            opsPort: nil, takesPublicSockets: false, stopPhase: .services)
        var now = ContinuousClock.now
        var child = Child(spec, now: now)
        _ = try child.startIfDue(in: data, publicSockets: [], now: now)
        #expect(child.process != nil)
        #expect(FileManager.default.fileExists(atPath: data.pidFile("echo")))
        var ending: Child.Ending?
        while ending == nil { ending = child.reap(in: data, now: now) }
        #expect(ending == Child.Ending(how: "exit code 0", wait: RestartBackoff.shortest))
        #expect(!FileManager.default.fileExists(atPath: data.pidFile("echo")))
        #expect(LogFile.lastLine(data.logFile("echo")) == "last words")
        _ = try child.startIfDue(in: data, publicSockets: [], now: now)
        #expect(child.process == nil)
        now += RestartBackoff.shortest
        _ = try child.startIfDue(in: data, publicSockets: [], now: now)
        #expect(child.process != nil)
        while child.process != nil { _ = child.reap(in: data, now: now) }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a job that is done is ready, and runs again when the process starts that it is for`() throws {
        let data = DataDirectory(FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString)
        try data.create()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: data.path) } }
        let spec = ProcessSpec(
            name: "functions", executable: "/bin/bash", arguments: ["-c", "[[ -e '\(data.path)/fine' ]]"],
            environment: [:], servicePort: 0, opsPort: nil, takesPublicSockets: false, stopPhase: .edge,
            life: .job(after: "redis"))
        var now = ContinuousClock.now
        var child = Child(spec, now: now)
        func runs() throws -> Child.Ending? {
            guard try child.startIfDue(in: data, publicSockets: [], now: now) else { return nil }
            var ending: Child.Ending?
            while ending == nil { ending = child.reap(in: data, now: now) }
            return ending
        }
        // It fails, and comes again after its wait.
        let failed = try #require(try runs())
        #expect(failed.wait == RestartBackoff.shortest && !child.isReady)
        #expect(FileManager.default.createFile(atPath: data.path + "/fine", contents: nil))
        now += RestartBackoff.shortest
        #expect(try runs() == Child.Ending(how: "exit code 0", wait: nil))
        #expect(child.isReady && child.state == .done)
        now += .seconds(3600)
        #expect(try runs() == nil)
        child.repeatJob(now: now)
        #expect(!child.isReady)
        #expect(try runs() == Child.Ending(how: "exit code 0", wait: nil))
    }

    @Test func `a process is told from another with its number by the time of its start`() throws {
        let own = try #require(Leftovers.startTime(of: getpid()))
        #expect(own == Leftovers.startTime(of: getpid()) && own != Leftovers.startTime(of: 1))
        #expect(Leftovers.startTime(of: 2_000_000_000) == nil)
    }

    @Test func `a damaged append-only file is told with what an empty Redis has lost`() {
        let words = [
            "Bad file format reading the append only file appendonly.aof.1.incr.aof: make a backup of your AOF file",
            "Unexpected end of file reading the append only file",
            "Fatal error loading the DB, check server logs. Exiting.",
            "Invalid AOF manifest file format",
        ]
        #expect(RedisHints.hint(lastWords: words[0], folder: "/d")?.contains("/d/appendonlydir") == true)
        #expect(RedisHints.hint(lastWords: words[1], folder: "/d") != nil)
        #expect(RedisHints.hint(lastWords: words[3], folder: "/d")?.contains("void") == true)
        #expect(RedisHints.hint(lastWords: "Ready to accept connections", folder: "/d") == nil)
    }
}

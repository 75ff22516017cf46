import FoundationEssentials
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

    @Test(.timeLimit(.minutes(1)), arguments: [(ProcessEnding.wrongSettings, true), (.failure, false)])
    func `a process that says that its settings are wrong is not started again`(
        status: ProcessEnding, isEnd: Bool
    ) throws {
        try withChild("echo otp: POLICY: line 3; exit \(status.rawValue)") { child, data in
            try Data("an earlier start\n".utf8).write(to: URL(filePath: data.logFile("bash")))
            let now = ContinuousClock.now
            try child.startIfDue(in: data, publicSockets: [], now: now)
            var ending: Child.Ending?
            while ending == nil { ending = child.reap(in: data, now: now) }
            #expect(ending == .init(how: "exit code \(status.rawValue)", wait: isEnd ? nil : RestartBackoff.shortest))
            #expect(child.lastWords(in: data) == "otp: POLICY: line 3\n")
            try child.startIfDue(in: data, publicSockets: [], now: now + .seconds(60))
            #expect((child.process == nil) == isEnd)
            while child.process != nil { _ = child.reap(in: data, now: now) }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a process that ends is noticed, logged and due again after its wait`() throws {
        let data = DataDirectory(FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString)
        try data.create()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: data.path) } }
        let spec = ProcessSpec(
            name: "echo", executable: "/bin/echo", arguments: ["last words"], environment: [:], servicePort: 1,
            opsPort: nil, takesPublicSockets: false, stopPhase: .services)
        var now = ContinuousClock.now
        var child = Child(spec, now: now)
        try child.startIfDue(in: data, publicSockets: [], now: now)
        #expect(child.process != nil)
        #expect(FileManager.default.fileExists(atPath: data.pidFile("echo")))
        var ending: Child.Ending?
        while ending == nil { ending = child.reap(in: data, now: now) }
        #expect(ending == Child.Ending(how: "exit code 0", wait: RestartBackoff.shortest))
        #expect(!FileManager.default.fileExists(atPath: data.pidFile("echo")))
        #expect(LogFile.lastLine(data.logFile("echo")) == "last words")
        try child.startIfDue(in: data, publicSockets: [], now: now)
        #expect(child.process == nil)
        now += RestartBackoff.shortest
        try child.startIfDue(in: data, publicSockets: [], now: now)
        #expect(child.process != nil)
        while child.process != nil { _ = child.reap(in: data, now: now) }
    }
}

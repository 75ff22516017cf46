import ArgumentParser
import FoundationEssentials
import Release
import Testing

@testable import ControlCore

@Suite struct ReleaseTests {
    @Test func `latchkeyctl says the version`() {
        #expect(LatchkeyControl.configuration.version == Release.version)
    }

    @Test func `the list of changes begins with this version and names each version once, newest first`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let text = try String(contentsOfFile: root + "/deploy/docs/changes.md", encoding: .utf8)
        let versions = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        #expect(versions.first.map(String.init) == Release.version)
        #expect(versions.allSatisfy { $0.wholeMatch(of: /\d+\.\d+\.\d+(-[a-z]+\.\d+)?/) != nil })
        let numbers = versions.map { ReleaseNumber($0) }
        for (newer, older) in zip(numbers, numbers.dropFirst()) { #expect(older < newer) }
    }
}

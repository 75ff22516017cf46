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
        let numbers = versions.map { $0.split(separator: ".").compactMap { Int($0) } }
        #expect(numbers.allSatisfy { $0.count == 3 })
        for (newer, older) in zip(numbers, numbers.dropFirst()) { #expect(older.lexicographicallyPrecedes(newer)) }
    }
}

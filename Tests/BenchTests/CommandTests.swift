import Foundation
import TestSupport
import Testing

@testable import BenchCore

struct CommandTests {
    private static let load: [Setting] = [.rotations, .clients, .sessions, .algorithm]

    @Test func `options are read in both forms, and have their usual values otherwise`() throws {
        let settings = Setting.common + Self.load
        let options = try Options(
            ["--rotations", "5000", "--clients=4", "--algorithm", "ES256", "--algorithm=HS256", "--no-bound"],
            of: settings)
        #expect(options.number(.rotations) == 5000 && options.number(.clients) == 4)
        #expect(options.words(.algorithm) == ["ES256", "HS256"] && options.has(.noBound))
        #expect(options.number(.sessions) == 1_000_000 && options.text(.json) == nil)
        #expect(try Options(["--sessions", "0"], of: settings).number(.sessions) == 0)
    }

    @Test(arguments: [
        ["--rotations", "5"], ["--rotations", "many"], ["--rotations"], ["--sessions=9999"], ["--algorithm", "none"],
        ["--logins", "5"], ["rotations"], ["--at-most", "x"], ["--rounds", "101"],
    ])
    func `a value out of its range, no value, and an unknown option are refused`(arguments: [String]) {
        #expect(throws: Options.Wrong.self) {
            try Options(arguments, of: Setting.common + Self.load + Setting.comparison)
        }
    }

    @Test func `a comparison has as many pairs as it needs, or more`() throws {
        #expect(try Options([], of: Setting.common).pairs() == Pairs.least)
        #expect(try Options(["--rounds", "20"], of: Setting.common).pairs() == 20)
        #expect(throws: Options.Wrong.self) { try Options(["--rounds", "7"], of: Setting.common).pairs() }
    }

    @Test func `help has a line for every option, and each command its own name`() {
        let names = Command.all.map(\.name)
        #expect(Set(names).count == names.count)
        for command in Command.all {
            #expect(Command.help(nil).contains("  \(command.name): "))
            let help = Command.help(command.name)
            for setting in command.settings + Setting.common { #expect(help.contains("--\(setting.name)")) }
            #expect(Set(command.settings.map(\.name)).count == command.settings.count)
        }
    }

    @Test func `the page of benchmarks lists the commands in their order`() throws {
        let page = try String(
            contentsOfFile: LatchkeyStack.root + "deploy/docs/contributing/benchmarks.md", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.contains("bound") }
        let listed = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(listed.filter { name in Command.all.contains { $0.name == name } } == Command.all.map(\.name))
    }

    @Test(arguments: [["nothing"], ["tokens", "--sessions", "1"], ["gateway", "--tls", "--by-cookie"], ["desync"]])
    func `wrong arguments end with status 64 before anything is measured`(arguments: [String]) async throws {
        #expect(try await Command.main(arguments) == 64)
    }

    @Test func `a build's policies are those beside it, then those of its checkout, then ours`() throws {
        let root = FileManager.default.temporaryDirectory.path() + "build-\(UUID().uuidString)"
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: root) } }
        let folder = root + "/before/.build/release"
        func write(_ path: String, executable: Bool = false) throws {
            let parent = URL(filePath: path).deletingLastPathComponent().path()
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: executable ? 0o755 : 0o644]
            #expect(FileManager.default.createFile(atPath: path, contents: Data(), attributes: attributes))
        }
        #expect(throws: UnexpectedReply.self) { try Build(in: folder) }
        try write(folder + "/supervisor", executable: true)
        #expect(try Build(in: folder).policies == Build.own.policies)
        try write(root + "/before/deploy/policies/howru.yaml")
        #expect(try Build(in: folder).policies.hasSuffix("/before/deploy/policies"))
        try write(folder + "/policies/howru.yaml")
        #expect(try Build(in: folder + "/").policies.hasSuffix("/release/policies"))
    }
}

import Foundation
import Testing

/// The scripts in `deploy/` that check commits and run the tests.
@Suite struct ScriptTests {
    private static let deploy =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy"

    @Test func `code that changed is told from comments that changed`() throws {
        #expect(try run("compare-code", "--self-test") == (0, ""))
    }

    @Test func `subjects of commits have at most 72 characters`() throws {
        #expect(try run("check-commits") == (0, ""))
    }

    /// A history of its own: the script, then a subject of 72 characters, then one of 73.
    @Test func `a subject of 73 characters is refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let history = """
            set -e; git init -q "$1"; cd "$1"; mkdir deploy; cp "$2/check-commits" deploy; git add deploy
            commit() { git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m "$1"; }
            commit Script; commit "$(printf 'a%.0s' {1..72})"; deploy/check-commits
            commit "$(printf 'b%.0s' {1..73})"; deploy/check-commits
            """
        let (status, output) = try run(in: "/bin", "bash", "-c", history, "-", folder.path, Self.deploy)
        #expect(status == 1)
        #expect(output.contains("73 characters, at most 72: bbb") && !output.contains("aaa"))
    }

    @Test func `a part that fails stops no other, and all failures come at the end with what repeats them`() throws {
        let log = """
            ◇ Test run started.
            ✘ Test "it's (here)" recorded an issue with 1 argument n → "a at b" at A.swift:3:7: Expectation failed: 1
            ✘ Test "it's (here)" recorded an issue with 1 argument n → "c" at A.swift:3:7: Expectation failed: 2
            ✘ Test plain(n:) recorded an issue at B.swift:5:9: Caught error: Boom()
            ✘ Suite Late recorded an issue at C.swift:7:6: Caught error: NoStack()
            ✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 3 issues.
            """
        let script = """
            . "$1/lib/parts.sh"
            run_part tests bash -c 'echo "$0"; exit 1' "$2" || true; run_part script bash -c 'echo no disk; exit 3' || true
            run_part cut echo '◇ Test run started.' && run_part good true && report_failures && exit 9
            count_failures "$part_folder"/{tests,tests,cut}.log || exit 1
            """
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (status, output) = try run(
            in: "/bin", "bash", "-c", "root=$3; \(script)", "-", Self.deploy, log, folder.path)
        #expect(status == 1)
        for wanted in [
            "FAILED   tests", "FAILED   script", "passed   good", "A.swift:3: Expectation failed: 1", "no disk",
            "again: bash -c echo no disk; exit 3", #"again: deploy/test --filter 'it'\''s \(here\)'"#,
            "again: deploy/test --filter 'plain'", "2 times: it's (here)", "2 times: plain(n:)", "2 times: Late",
            "1 times: (the process ended)",
        ] { #expect(output.contains(wanted), "\(wanted) in \(output)") }
        #expect(!output.contains("Expectation failed: 2"))
    }

    /// The status and the output of a script.
    private func run(
        in folder: String = deploy, _ script: String, _ arguments: String...
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "\(folder)/\(script)")
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

import Storage
import Testing

@testable import PostgreSQL

/// Which schemas a release can use, and whether a server has room for a process.
@Suite struct SchemaStateTests {
    private static let steps = [Migration("one", ""), Migration("two", "", needsRelease: "0.6.0")]

    private func problem(_ steps: [String: String], release: String = "0.10.0") -> String? {
        SchemaState(steps: steps, hasTables: !steps.isEmpty).refusal(for: Self.steps, schema: "s", release: release)?
            .message
    }

    @Test func `a schema with all steps can be used, also one with more that this release tolerates`() {
        #expect(problem(["one": "", "two": "0.6.0"]) == nil)
        #expect(problem(["one": "", "two": "0.6.0", "three": ""]) == nil)
        #expect(problem(["one": "", "two": "0.6.0", "three": "0.10.0"]) == nil)
        #expect(problem(["one": "", "two": "0.6.0", "three": "0.9.1"]) == nil)
    }

    @Test func `an older schema names the command, and a newer one the release`() {
        #expect(problem([:])?.contains("does not exist") == true)
        #expect(
            problem(["one": ""])
                == "the schema s lacks the step \"two\". Run latchkeyctl database migrate of release 0.10.0")
        let newer = problem(["one": "", "two": "0.6.0", "three": "0.11.0", "four": "1.2.0"])
        #expect(newer?.hasSuffix("Run Latchkey 1.2.0 or newer") == true)
    }

    @Test(arguments: [(93, 6, true), (94, 6, false), (97, 2, true), (97, 3, false)] as [(Int64, Int, Bool)])
    func `a process starts only if its connections fit`(used: Int64, wanted: Int, fits: Bool) {
        // Two are open and counted in `used`.
        let room = ConnectionRoom(max: 100, reserved: 3, used: used)
        let isAllowed: Bool
        do throws(StorageError) {
            try room.require(wanted, open: 2)
            isAllowed = true
        } catch {
            isAllowed = false
            #expect(error.message.contains("max_connections is 100"))
        }
        #expect(isAllowed == fits)
    }
}

import InternalAPI
import Storage
import Testing

@testable import ControlCore

@Suite struct DecisionsFileTests {
    private static let id = "0190a1b2c3d4e5f60718293a4b5c6d7e"
    private static let line = "7 2026-11-21T08:00:00Z role_lost usr_\(id) admin\n"

    private func count(_ text: String) throws(RemovedFile.BadLine) -> Int {
        try DecisionsFile.rows(Array(text.utf8)).count
    }

    @Test func `a list as it is printed is read, in the order of its numbers`() throws {
        let earlier = SecurityDecision(sequence: 3, at: 1_795_248_000, kind: .deactivated, id: "usr_\(Self.id)")
        let rows = try DecisionsFile.rows(Array((Self.line + earlier.line + "\n").utf8))
        #expect(rows.map(\.sequence) == [3, 7] && rows.map(\.kind) == ["deactivated", "role_lost"])
        #expect(rows.map(\.detail) == [nil, "admin"])
        #expect(SecurityDecision(line: earlier.line) == earlier)
    }

    @Test func `an empty list is a list, and a last line without its end is one that a crash cut off`() throws {
        #expect(try count("") == 0)
        #expect(try count(Self.line + "8 2026-11-21T08:00:00Z deact") == 1)
    }

    @Test(arguments: [
        "x\n", "usr_\(id)\n", "0 2026-11-21T08:00:00Z deactivated usr_\(id)\n",
        "7 2026-11-21 deactivated usr_\(id)\n", "7 2026-11-21T08:00:00Z promoted usr_\(id)\n",
        "7 2026-11-21T08:00:00Z deactivated usr_1\n", "7  2026-11-21T08:00:00Z deactivated usr_\(id)\n",
        line + "8 2026-11-21T08:00:00Z deactivated who_\(id)\n", "7 2026-11-21T08:00:00Z deactivated usr_\(id) a b\n",
    ])
    func `anything else is refused by its line`(text: String) {
        #expect(throws: RemovedFile.BadLine.self) { try count(text) }
    }
}

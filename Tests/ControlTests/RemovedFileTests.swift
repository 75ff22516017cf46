import Testing

@testable import ControlCore

@Suite struct RemovedFileTests {
    private static let id = "0190a1b2c3d4e5f60718293a4b5c6d7e"

    private func ids(_ text: String) throws(RemovedFile.BadLine) -> Int { try RemovedFile.ids(Array(text.utf8)).count }

    @Test(arguments: [
        ("", 0), ("usr_\(id)\n", 1), ("usr_\(id)\nusr_\(id)", 2), (id, 1), ("\n\nusr_\(id)\n\n", 1),
    ])
    func `a list as it is printed is read`(text: String, count: Int) throws { #expect(try ids(text) == count) }

    @Test(arguments: [
        "usr_", "usr_\(id.uppercased())", "usr_\(id) ", "usr_\(id)0x", "+15551234567", "usr_\(id)\nwho_\(id)", "\u{0}",
    ])
    func `what is no id, or of another deployment, is refused by its line`(text: String) {
        #expect(throws: RemovedFile.BadLine.self) { try ids(text) }
    }
}

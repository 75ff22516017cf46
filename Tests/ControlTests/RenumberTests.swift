import ArgumentParser
import Foundation
import InternalAPI
import Testing

@testable import ControlCore

@Suite struct RenumberTests {
    private func read(_ text: String) throws -> [NumberChange] {
        let path = FileManager.default.temporaryDirectory.path + "/renumber-\(UUID().uuidString).txt"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try NumberChangeFile.read(path)
    }

    @Test func `a file has a pair a line, with comments`() throws {
        let changes = try read("# Ivory Coast\n+22507 +2250707\n\n+22547,+2250747 # Orange\r\n  +22505\t+2250505\n")
        #expect(
            changes == [
                NumberChange(from: "+22507", to: "+2250707"), NumberChange(from: "+22547", to: "+2250747"),
                NumberChange(from: "+22505", to: "+2250505"),
            ])
    }

    @Test(arguments: ["+22507\n", "+22507 +2250707 +1\n", String(repeating: "1", count: 300)])
    func `a line that is no pair is named`(text: String) {
        #expect(throws: CommandFailure.self) { try read(text) }
    }

    @Test func `collisions name both users`() {
        let report = RenumberReport(isDryRun: true)
        let taken = RenumberedNumber(from: "+1", to: "+2", userID: "usr_1", result: .taken, holderID: "usr_2")
        report.count([taken, RenumberedNumber(from: "+3", to: "+4", userID: "usr_3", result: .renamed)])
        #expect(report.line(taken) == "usr_1: +1 stays: +2 belongs to usr_2")
        #expect(report.hasCollisions && report.summary == "1 would be renamed, 1 taken, 0 impossible")
    }

    @Test(arguments: [
        [], ["--from", "+1"], ["--from", "+1", "--to", "+2", "--canonical"], ["--map", "f", "--canonical"],
    ])
    func `one kind of change is asked for`(arguments: [String]) {
        #expect(throws: (any Error).self) { try UsersRenumber.parse(arguments) }
    }

    @Test(arguments: [["--from", "+1", "--to", "+2"], ["--map", "f", "--dry-run"], ["--canonical"]])
    func `each kind alone will do`(arguments: [String]) throws { _ = try UsersRenumber.parse(arguments) }
}

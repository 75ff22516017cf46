import FoundationEssentials
import Policies
import Testing

@testable import ControlCore

@Suite struct PolicyCheckTests {
    /// The repository's policies, found from this file, wherever the tests run.
    private let variables = [
        "LATCHKEY_POLICIES_DIR": #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
            + "/deploy/policies"
    ]

    @Test func `howru is what is checked when nothing is named, and it is fine in production`() throws {
        #expect(try PolicyCheck.check(nil, in: .production, variables: variables) == "howru: ok")
    }

    @Test func `LATCHKEY_POLICY names the policy`() throws {
        let variables = variables.merging(["LATCHKEY_POLICY": "nowhere"]) { $1 }
        let failure = #expect(throws: CommandFailure.self) {
            try PolicyCheck.check(nil, in: .development, variables: variables)
        }
        #expect(failure?.description.contains("howru") == true, "the message names the policies there are")
    }

    @Test func `a wrong file is refused with its line and key`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).yaml"
        try "issuer: a\naudience: b\notp:\n  length: 99\n".write(toFile: path, atomically: true, encoding: .utf8)
        let failure = #expect(throws: CommandFailure.self) {
            try PolicyCheck.check(path, in: .development, variables: variables)
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(failure?.description.contains(".yaml:4: otp.length") == true)
    }
}

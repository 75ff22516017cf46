import ArgumentParser
import Testing

@testable import ControlCore

@Suite struct AttributeArgumentTests {
    @Test func `a name and a value stand at the first equals sign's sides`() {
        let plain = AttributeArgument(argument: "plan=pro")
        #expect(plain?.name == "plan" && plain?.value == "pro")
        let odd = AttributeArgument(argument: "plan=a=b c")
        #expect(odd?.name == "plan" && odd?.value == "a=b c")
        #expect(AttributeArgument(argument: "plan=")?.value == "")
    }

    @Test(arguments: ["", "plan", "=pro", "="])
    func `what has no name or no sign is refused`(argument: String) {
        #expect(AttributeArgument(argument: argument) == nil)
    }

    @Test func `a change needs something to change, and names an attribute once`() throws {
        let id = "usr_1"
        _ = try UsersChange.parse([id, "--attribute", "plan=pro", "--attribute", "seats=5"])
        #expect(throws: (any Error).self) { try UsersChange.parse([id]) }
        #expect(throws: (any Error).self) {
            try UsersChange.parse([id, "--attribute", "plan=pro", "--attribute", "plan=free"])
        }
        #expect(throws: (any Error).self) { try UsersChange.parse([id, "--attribute", "plan"]) }
    }
}

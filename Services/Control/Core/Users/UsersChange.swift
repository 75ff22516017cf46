import ArgumentParser
import InternalAPI

/// `latchkeyctl users change`
struct UsersChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Gives a user another role or attribute, deactivates or reactivates him, at once.",
        discussion: """
            After another role the user's access tokens are refused, and his app gets new ones with its refresh token. \
            A deactivated user is signed out everywhere and cannot sign in. Attributes are those that the policy declares.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The role that the user's tokens name from now on.")
    var role: String?

    @Option(help: "Whether the user may use the account: true or false.")
    var active: Bool?

    @Option(help: "An attribute that the policy declares, and its value; as often as needed.")
    var attribute: [AttributeArgument] = []

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard role != nil || active != nil || !attribute.isEmpty else {
            throw ValidationError(
                "name what is to change: --role ROLE, --active true or --active false, --attribute NAME=VALUE")
        }
        guard Set(attribute.map(\.name)).count == attribute.count else {
            throw ValidationError("an attribute is named twice")
        }
    }

    func run() async throws {
        let attributes = Dictionary(attribute.map { ($0.name, $0.value) }) { first, _ in first }
        try await connection.withConnection {
            try await $0.call(
                UserOperations.change,
                ChangeUserRequest(
                    userID: user, role: role, isActive: active, attributes: attributes.isEmpty ? nil : attributes))
        }
        print("changed: \(user)")
    }
}

/// `NAME=VALUE` on the command line; the value may hold further equals signs, or nothing.
struct AttributeArgument: ExpressibleByArgument, Equatable {
    let name: String
    let value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
        name = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }
}

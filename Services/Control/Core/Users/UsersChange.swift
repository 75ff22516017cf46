import ArgumentParser
import InternalAPI

/// `latchkeyctl users change`
struct UsersChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Changes a user's role or attributes, or deactivates or reactivates the user, at once.",
        discussion: """
            After a change of the role, the user's access tokens are refused, and the app gets new ones with its refresh token. \
            A deactivated user is signed out everywhere and cannot sign in. The policy declares the attributes.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The new role, which the user's tokens contain from now on.")
    var role: String?

    @Option(help: "Whether the user may use the account: true or false.")
    var active: Bool?

    @Option(help: "An attribute and its value, NAME=VALUE. Can be repeated.")
    var attribute: [AttributeArgument] = []

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard role != nil || active != nil || !attribute.isEmpty else {
            throw ValidationError(
                "use at least one of --role ROLE, --active true, --active false and --attribute NAME=VALUE")
        }
        for (index, name) in attribute.map(\.name).enumerated()
        where attribute[..<index].contains(where: { $0.name == name }) {
            throw ValidationError("--attribute: \(name) is there twice")
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

/// `NAME=VALUE` on the command line; the value may contain further equals signs, or be empty.
struct AttributeArgument: ExpressibleByArgument, Equatable {
    let name: String
    let value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
        name = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }
}

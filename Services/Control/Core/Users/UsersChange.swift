import ArgumentParser
import InternalAPI

/// `latchkeyctl users change`
struct UsersChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract:
            "Changes a user's role, attributes, metadata, name, phone number or email address, or deactivates or reactivates "
            + "the user.",
        discussion: """
            After a change of the role, the user's access tokens are refused, and the app gets new ones with its refresh token. \
            A deactivated user is signed out everywhere and cannot sign in. The policy declares the attributes. \
            --metadata is a JSON merge patch of the metadata's object app: it keeps what it does not name, and null removes. \
            Another phone number signs the user out everywhere, unless --keep-sessions. It may be that of an account that waits \
            for its deletion, which goes on waiting without it. Another email address is the user's once its owner opens the \
            link that is mailed to it; until then the earlier one stays, and no session ends. The command exits with 1 if name, \
            metadata, phone number and email address are so already and nothing else changes.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The new role, which the user's tokens contain from now on.")
    var role: String?

    @Option(help: "Whether the user may use the account: true or false.")
    var active: Bool?

    @Option(help: "An attribute and its value, NAME=VALUE. Can be repeated.")
    var attribute: [AttributeArgument] = []

    @Option(
        help: ArgumentHelp(
            "A JSON merge patch of the metadata that administrators write, such as '{\"plan\":\"pro\"}'.",
            valueName: "json"))
    var metadata: String?

    @Option(help: "The new name; '' removes it.")
    var name: String?

    @Option(help: "The new phone number with its calling code. Its owner can sign in to the account from now on.")
    var phone: String?

    @Option(help: "An email address, to which a link is mailed. Using the command again mails another link.")
    var email: String?

    @Flag(help: "With --phone: the user stays signed in.")
    var keepSessions = false

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard
            role != nil || active != nil || !attribute.isEmpty || name != nil || phone != nil || email != nil
                || metadata != nil
        else {
            throw ValidationError(
                "use at least one of --role ROLE, --active true, --active false, --attribute NAME=VALUE, "
                    + "--metadata JSON, --name NAME, --phone NUMBER and --email ADDRESS")
        }
        guard phone != nil || !keepSessions else { throw ValidationError("--keep-sessions needs --phone NUMBER") }
        for (index, name) in attribute.map(\.name).enumerated()
        where attribute[..<index].contains(where: { $0.name == name }) {
            throw ValidationError("--attribute: \(name) is there twice")
        }
    }

    func run() async throws {
        let attributes = Dictionary(attribute.map { ($0.name, $0.value) }) { first, _ in first }
        let done = try await connection.withConnection {
            try await $0.call(
                UserOperations.change,
                ChangeUserRequest(
                    userID: user, role: role, isActive: active, attributes: attributes.isEmpty ? nil : attributes,
                    name: name, phone: phone, keepsSessions: keepSessions ? true : nil,
                    email: email, appPatch: metadata))
        }
        if done.changed.isEmpty, name != nil || phone != nil || email != nil || metadata != nil {
            print("nothing changed: \(user)")
            throw ExitCode.failure
        }
        print("changed: \(user)")
        if !done.changed.isEmpty { print("what changed: \(done.changed.joined(separator: ", "))") }
        if let holder = done.takenFrom { print("the phone number was that of \(holder), which waits for its deletion") }
        if let email, done.changed.contains("email") {
            print("a link was mailed to \(email); the address becomes the user's once its owner confirms it there")
        }
        if done.endsSessions { print("the user is signed out everywhere") }
        if done.leavesNoAdministrator == true { print(UsersDelete.lastAdministrator) }
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

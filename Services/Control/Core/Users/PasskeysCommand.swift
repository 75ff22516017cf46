import ArgumentParser
import InternalAPI

/// `latchkeyctl passkeys …`
struct PasskeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkeys", abstract: "Shows and removes the passkeys of users.",
        subcommands: [PasskeysList.self, PasskeysRemove.self])
}

/// The passkeys that a command is about.
struct PasskeyArguments: ParsableArguments {
    @Argument(help: "The user's id; without it the passkeys of all users.")
    var user: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only passkeys that were added in this time: two days or times in UTC, or ages such as 2h. Needed without a user.",
            valueName: "time"))
    var addedBetween: [SinceArgument] = []

    func validate() throws {
        guard addedBetween.isEmpty ? user != nil : addedBetween.count == 2 else {
            throw ValidationError("a user, or --added-between with two times, is needed")
        }
    }

    /// Calls an operation page by page.
    func pages(
        _ operation: InternalOperation<PasskeySelection, PasskeyPage, UserRefusal>, id: String? = nil,
        over connection: OperatorConnection
    ) async throws -> [PasskeyPage.Entry] {
        var selection = PasskeySelection(
            userID: user, id: id, addedFrom: addedBetween.first?.second, addedUntil: addedBetween.last?.second)
        var entries: [PasskeyPage.Entry] = []
        repeat {
            let page = try await connection.call(operation, selection)
            entries += page.passkeys
            selection.cursor = page.next
        } while selection.cursor != nil
        return entries
    }
}

/// `latchkeyctl passkeys list`
struct PasskeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows passkeys, with times in UTC.",
        discussion: "A passkey with a time in ACTIVE cannot be used before it. Each page is a record in the audit.")

    @OptionGroup var selection: PasskeyArguments
    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let entries = try await connection.withConnection {
            try await selection.pages(PasskeyOperations.list, over: $0)
        }
        let rows = entries.map { entry in
            [
                entry.userID, entry.passkey.id, entry.passkey.kind.rawValue, TimeText.text(entry.passkey.createdAt),
                TimeText.text(entry.passkey.lastUsedAt), TimeText.text(entry.passkey.activeFrom), entry.passkey.name,
            ]
        }
        print(TextTable.text([["USER", "PASSKEY", "KIND", "ADDED", "USED", "ACTIVE", "NAME"]] + rows))
    }
}

/// `latchkeyctl passkeys remove`
struct PasskeysRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes passkeys, and revokes the sessions that they opened.",
        discussion: """
            The users are told. If a gateway was broken into, --added-between removes what was added meanwhile. If the command \
            fails, repeat it.
            """)

    @OptionGroup var selection: PasskeyArguments

    @Option(help: "Only the passkey with this id, as 'passkeys list' shows it.")
    var passkey: String?

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard passkey == nil || selection.user != nil else { throw ValidationError("--passkey needs the user") }
    }

    func run() async throws {
        let entries = try await connection.withConnection {
            try await selection.pages(PasskeyOperations.remove, id: passkey, over: $0)
        }
        for entry in entries { print("removed: \(entry.userID) \(entry.passkey.id)") }
        print("\(entries.count) removed")
    }
}

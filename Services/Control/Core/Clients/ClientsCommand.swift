import ArgumentParser
import InternalAPI

/// `latchkeyctl clients …`
struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Shows and changes the back ends and jobs that get tokens of their own.",
        subcommands: [
            ClientsCreate.self, ClientsList.self, ClientsRotate.self, ClientsKey.self, ClientsRevoke.self,
            ClientsRemove.self,
        ])
}

/// `latchkeyctl clients list`
struct ClientsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the clients, also revoked ones.",
        discussion: "SECRETS has the time at which each valid secret was made, newest first.")

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let list = try await connection.withConnection { try await $0.call(ClientOperations.list, NoBody()) }
        let rows = list.clients.map { client in
            [
                client.clientID, client.role, TimeText.text(client.createdAt),
                client.secretsMadeAt.map { TimeText.text($0) }.joined(separator: ","), "\(client.keyCount)",
                TimeText.text(client.revokedAt),
            ]
        }
        print(TextTable.text([["CLIENT", "ROLE", "CREATED", "SECRETS", "KEYS", "REVOKED"]] + rows))
    }
}

/// `latchkeyctl clients revoke`
struct ClientsRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Refuses every token of a client, and gives it no other.",
        discussion: """
            When the command returns, every gateway refuses the tokens, as fast as after a user's sign-out. The client stays in \
            the list. If it fails, repeat it: no new token is issued, but the gateways may not know yet.
            """)

    @Argument(help: "The client's name.")
    var name: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(ClientOperations.end, EndClientRequest(clientID: name, removes: false))
        }
        print("revoked: \(name)")
    }
}

/// `latchkeyctl clients remove`
struct ClientsRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Revokes a client and takes it from the list, so that its name is free again.")

    @Argument(help: "The client's name.")
    var name: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(ClientOperations.end, EndClientRequest(clientID: name, removes: true))
        }
        print("removed: \(name)")
    }
}

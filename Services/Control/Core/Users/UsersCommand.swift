import ArgumentParser

/// `latchkeyctl users …`
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Finds, invites and moves in users, changes their rights, deletes and restores them.",
        subcommands: [
            UsersFind.self, UsersList.self, UsersCreateAdmin.self, UsersInvite.self, UsersImport.self, UsersChange.self,
            UsersDelete.self, UsersRestore.self, UsersRemoved.self,
        ])
}

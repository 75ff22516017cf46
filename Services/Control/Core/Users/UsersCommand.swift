import ArgumentParser

/// `latchkeyctl users …`
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Finds, invites and imports users, changes their rights and numbers, deletes and restores them.",
        subcommands: [
            UsersFind.self, UsersList.self, UsersCreateAdmin.self, UsersInvite.self, UsersImport.self, UsersChange.self,
            UsersRenumber.self, UsersDelete.self, UsersRestore.self, UsersRemoved.self, UsersDecisions.self,
        ])
}

import ArgumentParser

/// `latchkeyctl users …`
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Finds, invites, imports, changes, exports, deletes and restores users.",
        subcommands: [
            UsersFind.self, UsersList.self, UsersCount.self, UsersCreateAdmin.self, UsersInvite.self, UsersImport.self,
            UsersChange.self, UsersRenumber.self, UsersResubject.self, UsersReplacePhone.self,
            UsersResetSecondFactor.self, UsersDelete.self, UsersRestore.self, UsersExport.self, UsersInactive.self,
            UsersRemoved.self,
            UsersDecisions.self, UsersStory.self,
        ])
}

import ArgumentParser
import InternalAPI

/// `latchkeyctl users export`
struct UsersExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints everything that is stored about a user, as one JSON document.",
        discussion: """
            It is what the user gets by GET /users/me/export, in one page: no tokens, hashes or secrets. Times are Unix \
            seconds. Nothing is printed unless all services have answered. Each call is a record in the audit.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let export = try await connection.withConnection { connection in
            var whole = try await connection.call(UserOperations.export, ExportUserRequest(userID: user))
            while let cursor = whole.nextCursor {
                let request = ExportUserRequest(userID: user, cursor: cursor)
                whole.append(try await connection.call(UserOperations.export, request))
            }
            return whole
        }
        print(try JSONOutput.text(export))
    }
}

extension UserExport {
    /// Adds the page that comes after this one.
    mutating func append(_ page: UserExport) {
        decisions += page.decisions
        records += page.records
        sessions += page.sessions
        nextCursor = page.nextCursor
    }
}

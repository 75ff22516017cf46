import ArgumentParser
import InternalAPI

/// `latchkeyctl users replace-phone`
struct UsersReplacePhone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace-phone",
        abstract: "Begins to replace the phone number of a user who has lost it, or ends that.",
        discussion: """
            The user requests a code for the new number in the app and enters it, which opens no session yet. From then on the \
            user can object for identityChange.supportDelayHours of the policy: in the app, or with the mail that tells of it. Then \
            the number changes and all sessions end. A change that is not verified within 7 days ends.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The new phone number with its calling code, which no account has.")
    var to: String?

    @Flag(help: "Ends a change that has begun.")
    var cancel = false

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard (to == nil) == cancel else { throw ValidationError("use either --to NUMBER or --cancel") }
    }

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(UserOperations.replacePhone, ReplacePhoneRequest(userID: user, phone: to))
        }
        print(
            cancel ? "ended: \(user) keeps the phone number" : "begun: \(user) now signs in with a code for \(to ?? "")"
        )
    }
}

import ArgumentParser
import InternalAPI

/// `latchkeyctl users reset-second-factor`
struct UsersResetSecondFactor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-second-factor",
        abstract: "Begins to remove the second factor of a user who has lost it, or ends that.",
        discussion: """
            The user is told at once, and can object for identityChange.supportDelayHours of the policy: in the app, or with the \
            link of the notice. Then one-time passwords and recovery codes are removed, and all sessions end. Passkeys stay: \
            see users passkeys.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Flag(help: "Ends a reset that has begun.")
    var cancel = false

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(
                SecondFactorOperations.reset, ResetSecondFactorRequest(userID: user, cancels: cancel))
        }
        print(cancel ? "ended: \(user) keeps the second factor" : "begun: \(user) can object now")
    }
}

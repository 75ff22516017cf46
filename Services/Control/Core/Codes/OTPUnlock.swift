import ArgumentParser
import InternalAPI

/// `latchkeyctl otp unlock`
struct OTPUnlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Lifts a phone number's own lockout and limits.",
        discussion: """
            The number's open code ends, so that no code gets more guesses than the policy has: the user requests another one. \
            Limits of networks, prefixes, countries and budgets stay. Each call is a record in the audit.
            """)

    @Argument(help: "The whole phone number with its calling code, such as +15551234567.")
    var number: String

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let answer = try await connection.withConnection {
            try await $0.call(OTPOperations.unlock, NumberRequest(phone: number))
        }
        guard answer.wasLocked else {
            print("nothing counts against this phone number")
            throw ExitCode.failure
        }
        print("unlocked; the user can request a new code")
    }
}

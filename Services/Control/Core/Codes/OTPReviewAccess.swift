import ArgumentParser
import Foundation
import InternalAPI
import ServiceKit

/// `latchkeyctl otp review-access`
struct OTPReviewAccess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review-access",
        abstract: "Lets an app store's reviewers sign in with a phone number that receives no messages.",
        discussion: """
            Prints a random code, which is valid for that phone number only until the given time, at most 30 days from now. \
            Nothing is sent to the number. Five may be open at once, for numbers without an account, or with one that was \
            made this way; such an account can have no role. All limits apply. A restart or a flush of Redis ends the \
            access, and its sessions end with it at the latest. Without a number the command lists what is open.
            """)

    @Argument(help: "The phone number with its calling code, such as +15555550123.")
    var number: String?

    @Option(help: "The last day in UTC, such as 2026-12-31, or a time, such as 2026-12-31T12:00:00Z.")
    var until: ReviewEnd?

    @Flag(help: "Ends the access now, and the sessions of the account that it made.")
    var end = false

    @Option(help: "Address of otp-service; default $OTP_URL, or http://127.0.0.1:8081.")
    var otpURL: String?

    @Option(help: "Address of token-service; default $TOKEN_URL, or http://127.0.0.1:8082.")
    var tokenURL: String?

    @OptionGroup var users: UserOperatorOptions

    func validate() throws {
        guard (number == nil) == (until == nil && !end), until == nil || !end else {
            throw ValidationError("use a phone number with --until DATE or with --end, or nothing for a list")
        }
    }

    func run() async throws {
        guard let number else { return try await list() }
        guard let until else { return try await end(number) }
        try await refuseAccountOfSomebodyElse(number)
        let access = try await withCodes {
            try await $0.call(OTPOperations.openReview, ReviewAccessRequest(phone: number, until: until.second))
        }
        if Set(access.codes.values).count == 1, let code = access.codes.values.first {
            print("code \(code) until \(TimeText.text(until.second))")
        } else {
            let rows = access.codes.sorted { $0.key < $1.key }
            print(TextTable.text(rows.map { ["code \($0.value)", "dialect \($0.key)"] }))
            print("until \(TimeText.text(until.second))")
        }
    }

    private func end(_ number: String) async throws {
        let ended = try await withCodes { try await $0.call(OTPOperations.endReview, NumberRequest(phone: number)) }
        print(ended.wasOpen ? "the access is closed" : "there was no open access for this phone number")
        try await endSessions(of: number)
    }

    /// Ends the sessions of the account that the access made, or prints the commands for the containers that have the secrets.
    private func endSessions(of number: String) async throws {
        let revoke = "docker compose exec token latchkeyctl sessions revoke --user"
        switch try await account(of: number) {
        case .none: break
        case .unasked:
            print(
                """
                sessions that it opened end no later than the access would have. To end them now, run:
                docker compose exec user latchkeyctl users find '\(number)'
                \(revoke) ID
                """)
        case .user(let user) where user.isForReview == true:
            do {
                let answer = try await OperatorConnection.with(
                    "token", url: tokenURL, secretsDirectory: users.secretsDir
                ) { try await $0.call(TokenOperations.endSessions, EndSessionsRequest(userID: user.id)) }
                print("sessions revoked: \(answer.endedCount)")
            } catch is SettingsError {
                print("to end its sessions, run: \(revoke) \(user.id)")
            }
        case .user: break
        }
    }

    private func list() async throws {
        let list = try await withCodes { try await $0.call(OTPOperations.openReviews, ReviewListRequest()) }
        let rows = list.rows.sorted { $0.until < $1.until }.map { [$0.label, TimeText.text($0.until)] }
        print(rows.isEmpty ? "no access is open" : TextTable.text([["NUMBER", "UNTIL"]] + rows))
    }

    /// Refuses a phone number whose account is not for reviews. user-service refuses such a sign-in anyway, but here the
    /// operator learns of it before the reviewers do. In otp-service's container there is no secret for this call.
    private func refuseAccountOfSomebodyElse(_ number: String) async throws {
        switch try await account(of: number) {
        case .unasked(let reason):
            FileHandle.standardError.write(
                Data("warning: user-service was not asked whether the phone number has an account: \(reason)\n".utf8))
        case .user(let user) where user.isForReview != true:
            throw CommandFailure(
                description: "the phone number has an account that was not made by review access. Use another number.")
        case .user, .none: return
        }
    }

    /// The account of a phone number, as far as this process may ask for it.
    private enum Account {
        case user(UserSummary)
        case none
        case unasked(String)
    }

    private func account(of number: String) async throws -> Account {
        let outcome: OperationOutcome<UserSummary, UserRefusal>
        do {
            outcome = try await users.withConnection {
                try await $0.outcome(UserOperations.find, FindUserRequest(key: number))
            }
        } catch let error as SettingsError {
            return .unasked("\(error)")
        }
        switch outcome {
        case .answer(let user): return .user(user)
        case .refused(.notFound, _): return .none
        case .refused(.invalidRequest, let title): throw CommandFailure(description: title)
        }
    }

    private func withCodes<Value>(_ body: (OperatorConnection) async throws -> Value) async throws -> Value {
        try await OperatorConnection.with(
            "otp", url: otpURL, secretsDirectory: users.secretsDir, body)
    }
}

/// The time when a review access ends.
struct ReviewEnd: ExpressibleByArgument, Equatable {
    /// The end in Unix seconds.
    let second: Int64

    /// Reads the end. A day ends with its last second, in UTC.
    init?(argument: String) {
        let isDay = argument.utf8.count == 10
        do {
            let date = try Date(isDay ? argument + "T00:00:00Z" : argument, strategy: .iso8601)
            guard let second = Int64(exactly: date.timeIntervalSince1970.rounded()) else { return nil }
            self.second = isDay ? second + 86_400 : second
        } catch { return nil }
    }
}

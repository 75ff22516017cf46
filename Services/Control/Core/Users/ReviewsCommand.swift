import ArgumentParser
import InternalAPI

/// `latchkeyctl reviews …`
struct ReviewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reviews",
        abstract: "Shows and ends the reviews of accounts whose users reported a change that was not theirs.",
        subcommands: [ReviewsList.self, ReviewsClear.self, ReviewsBlock.self])
}

/// `latchkeyctl reviews list`
struct ReviewsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the accounts under review.",
        discussion: """
            An identity or a password that was changed at SINCE or later does not sign in until the review is cleared. \
            'audit list --user ID' shows what was changed.
            """)

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let reviews = try await connection.withConnection { connection in
            var (reviews, page) = ([AccountReviewPage.Review](), AccountReviewPage(reviews: []))
            repeat {
                let request = AccountReviewsRequest(cursor: page.reviews.last?.userID)
                page = try await connection.call(UserOperations.reviews, request)
                reviews += page.reviews
            } while page.reviews.count == AccountReviewPage.reviewsMax
            return reviews
        }
        let rows = reviews.map { [$0.userID, TimeText.text($0.since), TimeText.text($0.openedAt)] }
        print(TextTable.text([["USER", "SINCE", "REPORTED"]] + rows))
    }
}

/// `latchkeyctl reviews clear`
struct ReviewsClear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Ends a review: everything that the account has now signs in.",
        discussion:
            "Check the person and the account's identities first. The command exits with 1 if there is no review.")

    @Argument(help: "The user's id, as 'reviews list' shows it.")
    var user: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let cleared = try await connection.withConnection {
            try await $0.call(UserOperations.clearReview, ClearReviewRequest(userID: user))
        }
        guard cleared.wasOpen else {
            print("not under review: \(user)")
            throw ExitCode.failure
        }
        print("cleared: \(user)")
    }
}

/// `latchkeyctl reviews block`
struct ReviewsBlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Deactivates the user, as 'users change --active false' does.",
        discussion:
            "The review stays in the list until it is cleared. 'users change --active true' lets the user in again.")

    @Argument(help: "The user's id, as 'reviews list' shows it.")
    var user: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let done = try await connection.withConnection {
            try await $0.call(UserOperations.change, ChangeUserRequest(userID: user, isActive: false))
        }
        print(done.changed.isEmpty ? "was blocked already: \(user)" : "blocked: \(user)")
    }
}

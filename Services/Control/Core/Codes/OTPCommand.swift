import ArgumentParser

/// `latchkeyctl otp …`
struct OTPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Shows what happens to one-time codes, and gives reviewers access.",
        subcommands: [OTPGuardReport.self, OTPTrace.self, OTPReviewAccess.self])
}

import ArgumentParser

/// `latchkeyctl otp …`
struct OTPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Shows what happens to one-time codes, unlocks phone numbers, and gives reviewers access.",
        subcommands: [OTPGuardReport.self, OTPTrace.self, OTPUnlock.self, OTPReviewAccess.self])
}

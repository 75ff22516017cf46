import ArgumentParser

/// `latchkeyctl otp …`
struct OTPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Looks after one-time codes.",
        subcommands: [OTPGuardReport.self, OTPTrace.self, OTPReviewAccess.self])
}

import ArgumentParser

/// `latchkeyctl audit …`
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Looks at the record of what happened.", subcommands: [AuditVerify.self])
}

import ArgumentParser

/// `latchkeyctl audit …`
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Shows and checks the record of what happened.",
        subcommands: [AuditList.self, AuditFollow.self, AuditVerify.self])
}

import ArgumentParser
import FoundationEssentials
import Policies
import TLSPairs

/// `latchkeyctl tls pins`
struct TLSPins: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Shows the pins of the gateway's certificates and of their backups, ready for apps.",
        discussion: """
            A pin is the SHA-256 of a public key (SPKI, RFC 7469) in Base64. Pins of edge.tls.pins that no certificate has are \
            backups, as are the keys of --backup. Without a backup the command exits with 1 and prints nothing for apps, \
            because apps that pin a single key are lost with it. If edge.tls.pins is set, a certificate whose key is not in \
            it is refused, as the gateway refuses it.
            """)

    @Option(help: "The folder of certificates; default $LATCHKEY_TLS_DIR, or /run/tls.")
    var dir: String?

    @Option(help: "A name, or a file; default $LATCHKEY_POLICY, or starter.")
    var policy: String?

    @Option(help: "The file of a private key that is kept as a backup. Can be repeated.")
    var backup: [String] = []

    func run() async throws {
        let report = try report(ProcessInfo.processInfo.environment)
        print(report.table)
        try report.check()
        print("\n" + PinBlocks.text(report.domains))
    }

    private func report(_ variables: [String: String]) throws -> PinReport {
        let folder = dir ?? variables["LATCHKEY_TLS_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? TLSFolder.usualPath
        do {
            let policy = try PolicyCheck.policy(policy, variables: variables)
            let keys = try backup.map { try SPKIPin(ofKeyPEM: FileBytes.contents(of: $0, bytesMax: 65_536)) }
            return PinReport(
                entries: try TLSFolder(folder).read(), listed: policy.edge.tls.pins.compactMap(SPKIPin.init),
                backupKeys: keys)
        } catch {
            throw error as? CommandFailure ?? CommandFailure(description: "\(error)")
        }
    }
}

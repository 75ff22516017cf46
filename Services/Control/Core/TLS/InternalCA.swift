import ArgumentParser

/// `latchkeyctl internal-ca FOLDER --host NAME…`
struct InternalCA: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "internal-ca",
        abstract: "Makes an authority for calls between hosts, and a certificate for each host.",
        discussion: """
            FOLDER gets internal-ca.crt, the authority that all processes trust (LATCHKEY_INTERNAL_CA), with its key, and \
            HOST.crt and HOST.key for each host (LATCHKEY_INTERNAL_TLS_CERTIFICATE and the secret internal_tls_key). An \
            existing authority and existing keys stay; every certificate in the folder is renewed. Keep internal-ca.key away \
            from the servers.
            """)

    @Argument(help: "The folder. It is made with mode 0700 if it does not exist.")
    var folder: String

    @Option(
        name: .customLong("host"),
        help: "A host, as in the services' addresses: a name or an IP address; several of one host separated by commas."
    )
    var hosts: [InternalHost] = []

    func run() async throws {
        print(try InternalAuthority(folder: folder).renew(hosts).joined(separator: "\n"))
    }
}

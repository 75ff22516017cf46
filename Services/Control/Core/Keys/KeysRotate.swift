import ArgumentParser
import CryptoPrimitives
import InternalAPI

/// `latchkeyctl keys rotate`
struct KeysRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Publishes a new key now, which signs after the lead time.",
        discussion: """
            --now lets it sign at once. Our gateways hear of it and fetch it; but whoever else verifies tokens by
            /.well-known/jwks.json refuses new ones until the copy that it holds has run out.
            """)

    @Option(help: "Only this algorithm's key; default: all that the policy uses.")
    var algorithm: String?

    @Flag(help: "Let the new key sign at once.")
    var now = false

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        let made = try await connection.withConnection { try await rotate($0) }
        if now {
            print("warning: others that verify tokens by the published keys may refuse new ones until they fetch again")
        }
        print(made.isEmpty ? "the policy uses no key that rotates" : made.joined(separator: "\n"))
    }

    private func rotate(_ connection: OperatorConnection) async throws -> [String] {
        let used = try await connection.call(KeyOperations.list, NoBody()).algorithms
        var lines: [String] = []
        for algorithm in algorithm.map({ [$0] }) ?? used {
            let kid = Hex.encode(SecureRandom.bytes(8))
            try await connection.call(
                KeyOperations.rotate, RotateKeyRequest(kid: kid, algorithm: algorithm, now: now))
            lines.append(
                "\(algorithm): \(now ? "a new key signs" : "\(kid) is published and signs after the lead time")")
        }
        return lines
    }
}

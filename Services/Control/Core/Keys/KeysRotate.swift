import ArgumentParser
import CryptoPrimitives
import InternalAPI

/// `latchkeyctl keys rotate`
struct KeysRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Publishes a new key, which signs after the lead time.",
        discussion: """
            With --now it signs at once. Latchkey's gateways are notified and fetch it; other programs that verify tokens by \
            /.well-known/jwks.json refuse new tokens until their copy of the keys has expired.
            """)

    @Option(help: "The key of one algorithm only; default: all that the policy uses.")
    var algorithm: String?

    @Flag(help: "The new key signs at once.")
    var now = false

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        let made = try await connection.withConnection { try await rotate($0) }
        if now {
            print("warning: other programs that verify tokens may refuse new ones until they fetch the keys again")
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

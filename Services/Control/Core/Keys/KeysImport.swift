import ArgumentParser
import FoundationEssentials
import InternalAPI

/// `latchkeyctl keys import`
struct KeysImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Publishes a private key of another system, which signs after the lead time.")

    private static let fileBytesMax = 16 * 1024

    @Argument(help: "The file of the private key in unencrypted PEM; '-' reads standard input.")
    var file: String

    @Option(help: "The name under which it is published. No kid is ever used twice.")
    var kid: String

    @Option(help: "RS256, ES256 or EdDSA.")
    var algorithm: String

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        let request = ImportKeyRequest(kid: kid, algorithm: algorithm, pem: try pem())
        try await connection.withConnection { try await $0.call(KeyOperations.importKey, request) }
        print("\(kid) is published and signs after the lead time")
    }

    private func pem() throws -> String {
        guard file != "-" else { return try Self.standardInput() }
        let contents: Data
        do { contents = try Data(contentsOf: URL(filePath: file)) } catch {
            throw CommandFailure(description: "cannot read the file \(file). Does it exist, and may you read it?")
        }
        guard contents.count <= Self.fileBytesMax, let text = String(validating: contents, as: UTF8.self) else {
            throw CommandFailure(
                description: "\(file) is not a PEM file of at most 16 KiB. It begins with -----BEGIN PRIVATE KEY-----.")
        }
        return text
    }

    private static func standardInput() throws -> String {
        var text = ""
        while let line = readLine(strippingNewline: false) {
            text += line
            guard text.utf8.count <= fileBytesMax else {
                throw CommandFailure(
                    description:
                        "standard input is not a PEM file of at most 16 KiB. It begins with -----BEGIN PRIVATE KEY-----."
                )
            }
        }
        return text
    }
}

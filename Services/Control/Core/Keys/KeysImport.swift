import ArgumentParser
import FoundationEssentials
import InternalAPI

/// `latchkeyctl keys import`
struct KeysImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Publishes a private key from elsewhere, which signs after the lead time.")

    private static let fileBytesMax = 16 * 1024

    @Argument(help: "The private key in unencrypted PEM; '-' reads it from standard input.")
    var file: String

    @Option(help: "The name under which it is published; a kid is never used twice.")
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
            throw CommandFailure(description: "cannot read \(file)")
        }
        guard contents.count <= Self.fileBytesMax, let text = String(validating: contents, as: UTF8.self) else {
            throw CommandFailure(description: "\(file) is no PEM file")
        }
        return text
    }

    private static func standardInput() throws -> String {
        var text = ""
        while let line = readLine(strippingNewline: false) {
            text += line
            guard text.utf8.count <= fileBytesMax else {
                throw CommandFailure(description: "standard input holds no PEM file")
            }
        }
        return text
    }
}

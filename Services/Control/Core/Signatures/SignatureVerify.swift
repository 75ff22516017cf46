import AccessTokens
import ArgumentParser
import CryptoPrimitives

/// `latchkeyctl sig verify --alg A --jwk FILE`
struct SignatureVerify: ParsableCommand {
    /// The reason why a line is refused; the names never change.
    enum Refusal: String, Error, CaseIterable {
        case malformed, tooLarge, badSignature

        var meaning: String {
            switch self {
            case .malformed: "the line is not two hexadecimal texts with one space between them"
            case .tooLarge: "the line has more than \(SignatureVerify.lineBytesMax) bytes"
            case .badSignature: "the signature is not this key's for this message, or not in its one form"
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies lines `HEX(message) HEX(signature)` of standard input with the gateway's code.",
        discussion: """
            Answers each line, in order, with `ok` or `refused: REASON`. Either text may be empty, the space may not be \
            missing. Signatures are in the form they have in a JWS: ES256 and EdDSA 64 bytes (r and s, never DER), RS256 as \
            many as the modulus has, HS256 32. A line ends with a line feed; a bad line is refused and the next one is \
            read. Reasons:
            \(Refusal.allCases.map { "  \($0.rawValue): \($0.meaning)" }.joined(separator: "\n"))

            \(KeyFile.help)
            """)

    /// The limit of a line, which allows a message of nearly 2 MiB and any signature.
    static let lineBytesMax = 4_194_304

    @Option(name: .customLong("alg"), help: "The algorithm, which must be the key's own.")
    var algorithm: SignatureAlgorithm

    @Option(name: .customLong("jwk"), help: ArgumentHelp("The file with the key.", valueName: "FILE"))
    var keyPath: String

    func run() throws {
        let file = try KeyFile(keyPath, for: algorithm)
        try LineFilter(lineBytesMax: Self.lineBytesMax) { line in
            file.answer { Self.answer(to: line, with: $0) }
        }.run()
        try file.usableKey()
    }

    static func answer(to line: LineSplitter.Line, with key: VerificationKey) -> String {
        do throws(Refusal) {
            guard case .bytes(let text) = line else { throw .tooLarge }
            let (message, signature) = try fields(of: text)
            guard key.isValid(signature: signature, for: message) else { throw .badSignature }
            return "ok"
        } catch {
            return "refused: \(error.rawValue)"
        }
    }

    private static func fields(of line: [UInt8]) throws(Refusal) -> (message: [UInt8], signature: [UInt8]) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 2, let message = bytes(fields[0]), let signature = bytes(fields[1]) else {
            throw .malformed
        }
        return (message, signature)
    }

    private static func bytes(_ field: ArraySlice<UInt8>) -> [UInt8]? {
        Hex.decode(String(decoding: field, as: UTF8.self))
    }
}

extension SignatureAlgorithm: ExpressibleByArgument {}

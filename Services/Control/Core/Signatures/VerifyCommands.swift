import AccessTokens
import ArgumentParser
import CryptoPrimitives
import Glibc

/// `latchkeyctl jws verify --jwk FILE`, for reviewers: checks compact JWS, one per line of standard input, with the gateway's code.
struct JWSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws", abstract: "Verifies signed texts as the gateway does.", shouldDisplay: false,
        subcommands: [Verify.self])

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints `ok` or `refused: REASON` for each compact JWS, one on each line of standard input.")

        @Option(name: .customLong("jwk"), help: ArgumentHelp("The file with the key.", valueName: "FILE"))
        var keyPath: String

        func run() throws {
            try LineVerifier(keyPath).run(lineBytesMax: TokenLimits.tokenBytesMax) { line, key in
                guard let line else { return TokenRejection.tooLarge.rawValue }
                do throws(TokenRejection) {
                    _ = try CompactJWS(line).payload(verifiedWith: key)
                    return nil
                } catch {
                    return error.rawValue
                }
            }
        }
    }
}

/// `latchkeyctl sig verify --alg A --jwk FILE`, for reviewers: checks lines `HEX(message) HEX(signature)`, of which either may be
/// empty. Signatures have the form that they have in a JWS.
struct SignatureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sig", abstract: "Verifies bare signatures as the gateway does.", shouldDisplay: false,
        subcommands: [Verify.self])

    struct Verify: ParsableCommand {
        /// The limit of a line, which allows a message of nearly 2 MiB and any signature.
        private static let lineBytesMax = 4_194_304

        static let configuration = CommandConfiguration(
            abstract: "Prints `ok` or `refused: REASON` for each line `HEX(message) HEX(signature)` of standard input.")

        @Option(name: .customLong("alg"), help: "The algorithm, which must be the key's own.")
        var algorithm: SignatureAlgorithm

        @Option(name: .customLong("jwk"), help: ArgumentHelp("The file with the key.", valueName: "FILE"))
        var keyPath: String

        func run() throws {
            try LineVerifier(keyPath, for: algorithm).run(lineBytesMax: Self.lineBytesMax) { line, key in
                guard let line else { return "tooLarge" }
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
                let bytes = fields.compactMap { Hex.decode(String(decoding: $0, as: UTF8.self)) }
                guard fields.count == 2, bytes.count == 2 else { return "malformed" }
                return key.isValid(signature: bytes[1], for: bytes[0]) ? nil : "badSignature"
            }
        }
    }
}

extension SignatureAlgorithm: ExpressibleByArgument {}

/// Checks each line of standard input with the key in a file, and prints its result before more input is awaited.
///
/// A bad key does not stop it: every line is refused for it, and then the command fails.
private struct LineVerifier {
    private static let chunkBytes = 65536

    private let path: String
    private let key: Result<VerificationKey, KeyError>

    /// - Parameter algorithm: The algorithm that the key must have; `nil` for any.
    /// - Throws: `CommandFailure` if the file cannot be read.
    init(_ path: String, for algorithm: SignatureAlgorithm? = nil) throws {
        let text = try FileBytes.contents(of: path, bytesMax: JSONWebKey.textBytesMax)
        self.path = path
        key = Result { () throws(KeyError) in
            let key = try VerificationKey(jwkText: text)
            if let algorithm, key.algorithm != algorithm { throw .wrongKeyType(algorithm) }
            return key
        }
    }

    /// Reads standard input to its end. No more than `lineBytesMax` bytes of a line are stored.
    ///
    /// - Parameter refusal: Returns the reason why a line is refused, or `nil`. A line that is too long is `nil`.
    /// - Throws: `CommandFailure` if the key is bad, or reading or writing fails.
    func run(lineBytesMax: Int, _ refusal: ([UInt8]?, VerificationKey) -> String?) throws {
        var line: [UInt8]? = []
        while let chunk = try FileBytes.next(of: STDIN_FILENO, bytesMax: Self.chunkBytes) {
            let pieces = chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            var results = ""
            for (index, piece) in pieces.enumerated() {
                if index > 0 {
                    results += result(of: line, refusal)
                    line = []
                }
                if let stored = line?.count, stored + piece.count > lineBytesMax { line = nil }
                line?.append(contentsOf: piece)
            }
            try FileBytes.write(Array(results.utf8), to: STDOUT_FILENO)
        }
        if line != [] { try FileBytes.write(Array(result(of: line, refusal).utf8), to: STDOUT_FILENO) }
        do { _ = try key.get() } catch { throw CommandFailure(description: "\(path): \(error)") }
    }

    private func result(of line: [UInt8]?, _ refusal: ([UInt8]?, VerificationKey) -> String?) -> String {
        let reason: String? =
            switch key {
            case .success(let key): refusal(line, key)
            case .failure(.weakKey): "weakKey"
            case .failure(.unsupportedKey): "unsupportedKey"
            case .failure(.wrongKeyType): "wrongKeyType"
            case .failure: "malformedKey"
            }
        return (reason.map { "refused: \($0)" } ?? "ok") + "\n"
    }
}

import AccessTokens
import ArgumentParser

/// `latchkeyctl jws verify --jwk FILE`
struct JWSVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies compact JWS, one on each line of standard input, with the gateway's code.",
        discussion: """
            Prints `ok` or `refused: REASON` for each line, in order. The signature and the form (RFC 7515) have to be right; \
            claims, typ and kid are not checked, and the payload need not be JSON. A line is the token alone and ends with a line \
            feed; a bad line is refused and the next one is read. Reasons:
            \(reasons.map { "  \($0.rejection.rawValue): \($0.meaning)" }.joined(separator: "\n"))

            \(KeyFile.help)
            """)

    /// The reasons of this layer to refuse a token, for `--help`; the names never change.
    static let reasons: [(rejection: TokenRejection, meaning: String)] = [
        (.malformed, "not three base64url parts in their one spelling, or the header is no strict JSON object"),
        (.tooLarge, "over \(TokenLimits.tokenBytesMax) bytes, or a header over \(TokenLimits.headerBytesMax)"),
        (.critical, "the header has crit or b64"),
        (.unsupportedAlgorithm, "alg is none, or not one of ours"),
        (.algorithmMismatch, "alg is not the key's own"),
        (.invalidKeyID, "kid is no string"),
        (.wrongType, "typ is no string"),
        (.badSignature, "the signature is not this key's for this text, or not in its one form"),
    ]

    @Option(name: .customLong("jwk"), help: ArgumentHelp("The file with the key.", valueName: "FILE"))
    var keyPath: String

    func run() throws {
        let file = try KeyFile(keyPath)
        try LineFilter(lineBytesMax: TokenLimits.tokenBytesMax) { line in
            file.answer { Self.answer(to: line, with: $0) }
        }.run()
        try file.usableKey()
    }

    static func answer(to line: LineSplitter.Line, with key: VerificationKey) -> String {
        do throws(TokenRejection) {
            guard case .bytes(let token) = line else { throw .tooLarge }
            _ = try CompactJWS(token).payload(verifiedWith: key)
            return "ok"
        } catch {
            return "refused: \(error.rawValue)"
        }
    }
}

import AccessTokens
import ArgumentParser
import CryptoPrimitives
import FoundationEssentials
import Glibc
import Testing

@testable import ControlCore

@Suite struct SignatureCommandTests {
    let key: SigningKey
    let other: SigningKey
    let secret = Base64URL.encode(repeatElement(7, count: 31) + [8])

    init() throws {
        key = try SigningKey.generate(keyID: "k", algorithm: .ES256)
        other = try SigningKey.generate(keyID: "k", algorithm: .ES256)
    }

    /// Runs `body` with the path of a file that holds `text`.
    private func withFile<T>(_ text: String, _ body: (String) throws -> T) throws -> T {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).jwk"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unsafe unlink(path) }
        return try body(path)
    }

    private func jwk(_ key: SigningKey) throws -> String {
        String(decoding: try JSONEncoder().encode(try #require(key.verificationKey.jwk)), as: UTF8.self)
    }

    /// Returns the output of a filter that reads `input` to its end.
    private func output(of filter: LineFilter, input: String) throws -> String {
        try withFile(input) { inputPath in
            try withFile("") { outputPath in
                let reading = unsafe open(inputPath, O_RDONLY)
                let writing = unsafe open(outputPath, O_WRONLY)
                defer {
                    close(reading)
                    close(writing)
                }
                try filter.run(from: reading, to: writing)
                return try String(contentsOfFile: outputPath, encoding: .utf8)
            }
        }
    }

    private func judge(_ tokens: String...) throws -> [String] {
        let filter = LineFilter(lineBytesMax: TokenLimits.tokenBytesMax) {
            JWSVerify.answer(to: $0, with: key.verificationKey)
        }
        return try output(of: filter, input: tokens.joined(separator: "\n")).split(separator: "\n").map(String.init)
    }

    @Test func `each token gets its answer, in order`() throws {
        let good = try CompactJWS.sign([], type: nil, with: key)
        let foreign = try CompactJWS.sign([1], type: "anything", with: other)
        let hmac = try CompactJWS.sign([1], type: nil, with: try SigningKey.generate(keyID: "k", algorithm: .HS256))
        let critical = Base64URL.encode(Array("{\"alg\":\"ES256\",\"crit\":[]}".utf8)) + ".."
        let none = Base64URL.encode(Array("{\"alg\":\"none\"}".utf8)) + ".."
        let number = Base64URL.encode(Array("{\"alg\":\"ES256\",\"kid\":1}".utf8)) + ".."
        let type = Base64URL.encode(Array("{\"alg\":\"ES256\",\"typ\":[]}".utf8)) + ".."
        let answers = try judge(
            good, foreign, hmac, "", good + " ", good + "\r", critical, none, number, type,
            String(repeating: "x", count: 100_000), good)
        #expect(
            answers == [
                "ok", "refused: badSignature", "refused: algorithmMismatch", "refused: malformed", "refused: malformed",
                "refused: malformed", "refused: critical", "refused: unsupportedAlgorithm", "refused: invalidKeyID",
                "refused: wrongType", "refused: tooLarge", "ok",
            ])
        let listed = Set(JWSVerify.reasons.map { "refused: \($0.rejection.rawValue)" })
        #expect(Set(answers).subtracting(["ok"]) == listed, "--help lists what can be said, and nothing else")
    }

    @Test func `each pair of message and signature gets its answer, in order`() throws {
        let message: [UInt8] = [0xAB, 0x00]
        let good = Hex.encode(try key.sign(message))
        let filter = LineFilter(lineBytesMax: SignatureVerify.lineBytesMax) {
            SignatureVerify.answer(to: $0, with: key.verificationKey)
        }
        let lines = [
            "ab00 \(good)", "AB00 \(good.uppercased())", " \(Hex.encode(try key.sign([])))", "ab00 ", " ", "", "ab00",
            "ab00  \(good)", "ab00 \(good) ", "ab00\t\(good)", "ab0 \(good)", "zz00 \(good)", "ab00 0x\(good)",
            "é \(good)",
            "ab01 \(good)", "ab00 \(good)\r", String(repeating: "0", count: SignatureVerify.lineBytesMax + 1),
            "ab00 \(good)",
        ]
        let answers = try output(of: filter, input: lines.joined(separator: "\n")).split(separator: "\n")
        let bad = "refused: badSignature"
        let malformed = "refused: malformed"
        #expect(
            answers.map(String.init) == ["ok", "ok", "ok", bad, bad]
                + [String](repeating: malformed, count: 9) + [bad, malformed, "refused: tooLarge", "ok"])
    }

    @Test func `a million bytes of message are read`() throws {
        let message = [UInt8](repeating: 0xA5, count: 1_000_000)
        let line = Hex.encode(message) + " " + Hex.encode(try key.sign(message))
        #expect(SignatureVerify.answer(to: .bytes(Array(line.utf8)), with: key.verificationKey) == "ok")
    }

    @Test func `the key's algorithm must be the one that is named`() throws {
        try withFile(try jwk(key)) { path in
            #expect(try SignatureVerify.parse(["--alg", "ES256", "--jwk", path]).algorithm == .ES256)
            #expect(try KeyFile(path, for: .ES256).usableKey().algorithm == .ES256)
            for algorithm in [SignatureAlgorithm.RS256, .EdDSA, .HS256] {
                let file = try KeyFile(path, for: algorithm)
                #expect(throws: CommandFailure.self) { try file.usableKey() }
                #expect(file.answer { _ in "ok" } == "refused: wrongKeyType")
            }
            for name in ["es256", "ES384", "none", ""] {
                #expect(throws: (any Error).self) { try SignatureVerify.parse(["--alg", name, "--jwk", path]) }
            }
        }
        #expect(throws: (any Error).self) { try SignatureVerify.parse(["--alg", "ES256"]) }
        #expect(throws: (any Error).self) { try JWSVerify.parse([]) }
    }

    @Test func `a bad key refuses every line, and is one clear line that shows nothing of it`() throws {
        let small = Base64URL.encode([1] + [UInt8](repeating: 0, count: 31))
        for (text, answer, reason) in [
            ("", "malformedKey", "the key does not parse"), ("{}", "malformedKey", "the key does not parse"),
            ("{\"kty\":\"oct\",\"k\":\"\(secret)\",\"k\":\"\(secret)\"}", "malformedKey", "the key does not parse"),
            ("{\"kty\":\"oct\",\"k\":\"\(secret.dropLast())\"}", "weakKey", "too weak"),
            ("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(small)\"}", "weakKey", "too weak"),
            ("{\"kty\":\"EC\",\"crv\":\"P-521\",\"x\":\"AA\",\"y\":\"AA\"}", "unsupportedKey", "is not supported"),
            ("{\"kty\":\"oct\",\"k\":\"\(secret)\",\"alg\":\"HS512\"}", "unsupportedKey", "is not supported"),
        ] {
            try withFile(text) { path in
                let file = try KeyFile(path)
                let failure = #expect(throws: CommandFailure.self) { try file.usableKey() }
                let line = try #require(failure?.description)
                #expect(line.hasPrefix(path + ": ") && line.contains(reason) && !line.contains("\n"), "\(line)")
                #expect(!line.contains(secret.prefix(8)))
                #expect(file.answer { _ in "ok" } == "refused: " + answer)
            }
        }
    }

    @Test func `a file that cannot be read ends the command`() throws {
        try withFile(String(repeating: " ", count: JSONWebKey.textBytesMax + 1)) { path in
            let failure = #expect(throws: CommandFailure.self) { try KeyFile(path) }
            #expect(failure?.description == path + ": has more than 16384 bytes")
        }
        let failure = #expect(throws: CommandFailure.self) { try KeyFile("/nonexistent/key.jwk") }
        #expect(failure?.description == "/nonexistent/key.jwk: No such file or directory")
        #expect(throws: CommandFailure.self) { try KeyFile("/dev/zero") }
        #expect(throws: CommandFailure.self) { try KeyFile("/") }
    }

    @Test func `an oct key is for HS256`() throws {
        let key = try withFile("{\"kty\":\"oct\",\"k\":\"\(secret)\"}\n") { try KeyFile($0).usableKey() }
        let bytes = try #require(Base64URL.decode(secret))
        #expect(key.algorithm == .HS256)
        #expect(key.isValid(signature: HMACSHA256(key: bytes).authenticate([1]), for: [1]))
    }

    @Test func `--help lists every reason and how the algorithm is chosen`() {
        let jws = help(JWSVerify.self)
        for (rejection, _) in JWSVerify.reasons { #expect(jws.contains("\(rejection.rawValue):")) }
        let sig = help(SignatureVerify.self)
        for refusal in SignatureVerify.Refusal.allCases { #expect(sig.contains("\(refusal.rawValue):")) }
        for text in [jws, sig] {
            #expect(text.contains("oct (32 bytes or more)"))
            for refusal in KeyFile.Refusal.allCases { #expect(text.contains("\(refusal.rawValue):")) }
        }
    }

    /// The text of `--help`, wherever its lines break.
    private func help(_ command: any ParsableCommand.Type) -> String {
        LatchkeyControl.helpMessage(for: command).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

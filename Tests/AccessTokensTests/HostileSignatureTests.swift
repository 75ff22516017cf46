import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import Testing

@testable import AccessTokens

/// Signatures and keys made to deceive, by arithmetic that shares nothing with libcrypto (`Tests/Vectors/hostile-signatures.jsonl`).
///
/// Each line of the file is a key. Its cases are a comment, a message and a signature in hexadecimal, and whether the signature
/// holds. A key without cases has to be refused.
@Suite struct HostileSignatureTests {
    @Test func `valid signatures hold, and no other does`() throws {
        let path =
            #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Vectors/hostile-signatures.jsonl"
        var counts: [SignatureAlgorithm: (holding: Int, refused: Int, keys: Int)] = [:]
        for line in try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")) {
            let group = try StrictJSON.parse(Array(line), limits: .init(bytesMax: 1 << 20, depthMax: 8))
            let name = try #require(group["group"]?.stringValue)
            let algorithm = try #require(group["alg"]?.stringValue.flatMap { SignatureAlgorithm(rawValue: $0) })
            let jwk = try Self.jwk(of: line)
            guard let cases = group["cases"]?.arrayValue else {
                #expect(throws: KeyError.self, "\(name)") { try VerificationKey(jwkText: jwk) }
                counts[algorithm, default: (0, 0, 0)].keys += 1
                continue
            }
            let key = try VerificationKey(jwkText: jwk)
            #expect(key.algorithm == algorithm)
            for entry in cases {
                let fields = try #require(entry.arrayValue)
                let message = try #require(fields[1].stringValue.flatMap { Hex.decode($0) })
                let signature = try #require(fields[2].stringValue.flatMap { Hex.decode($0) })
                let holds: Bool = try #require(fields[3].boolValue as Bool?)
                #expect(key.isValid(signature: signature, for: message) == holds, "\(name): \(fields[0])")
                if holds { counts[algorithm, default: (0, 0, 0)].holding += 1 }
                if !holds { counts[algorithm, default: (0, 0, 0)].refused += 1 }
            }
        }
        for algorithm in SignatureAlgorithm.allCases {
            let count = try #require(counts[algorithm])
            #expect(count.holding >= 3 && count.refused >= 100 && count.keys >= 9, "\(algorithm): \(count)")
        }
    }

    /// The text of the line's key, byte by byte: writing it again could hide what is wrong with it.
    private static func jwk(of line: Data) throws -> [UInt8] {
        let start = try #require(line.firstRange(of: Data(#""jwk":"#.utf8)))
        let end = try #require(line[start.upperBound...].firstIndex(of: UInt8(ascii: "}")))
        return Array(line[start.upperBound...end])
    }
}

import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A Python script under `Peers/`, run by Debian's Python, which has `python3-jwt` and `python3-cryptography`.
enum PeerScript {
    /// Not the first python3 of the path: that may be another one without these packages.
    private static let interpreter = "/usr/bin/python3"
    private static let outputBytesMax = 64 << 20
    private static let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Peers/"

    /// Whether Debian's Python has the packages; `deploy/test` installs them.
    static let isInstalled = ["jwt", "cryptography"].allSatisfy { package in
        FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\(package)/__init__.py")
    }
    /// Why a test is left out.
    static let absence: Comment = "SKIPPED: python3-jwt or python3-cryptography is missing (apt-get install both)"

    /// Runs the script and returns its output, line by line.
    static func run(_ name: String, _ arguments: [String] = [], input: [String] = []) async throws -> [String] {
        let text = input.map { $0 + "\n" }.joined()
        let result = try await Subprocess.run(
            .path(.init(interpreter)), arguments: .init([folder + name + ".py"] + arguments),
            input: .array(Array(text.utf8)), output: .string(limit: outputBytesMax), error: .string(limit: 1 << 16))
        try #require(
            result.terminationStatus.isSuccess, "\(name).py: \(result.standardError)")
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    /// The JSON objects that the script prints, one a line.
    static func objects(_ name: String, _ arguments: [String]) async throws -> [JSONValue] {
        try await run(name, arguments).map { line in
            try StrictJSON.parse(Array(line.utf8), limits: .init(bytesMax: outputBytesMax, depthMax: 8))
        }
    }
}

extension JSONValue {
    /// The string member `name`.
    func text(_ name: String) throws -> String { try #require(self[name]?.stringValue) }

    /// This object of strings as JSON again.
    func encoded() throws -> [UInt8] {
        try JSONEncoder().encode(Encoded(value: self)).map { $0 }
    }
}

/// Any JSON value, for the encoder.
private struct Encoded: Encodable {
    let value: JSONValue

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let object):
            try Dictionary(object.members.map { ($0.name, Encoded(value: $0.value)) }) { $1 }.encode(to: encoder)
        case .array(let array): try array.map(Encoded.init).encode(to: encoder)
        case .string(let string): try string.encode(to: encoder)
        case .integer(let integer): try integer.encode(to: encoder)
        case .double(let double): try double.encode(to: encoder)
        case .bool(let bool): try bool.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}

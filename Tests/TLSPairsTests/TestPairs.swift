import Foundation
import TestSupport

@testable import TLSPairs

/// Certificates for tests, in a folder that goes again.
enum TestPairs {
    static func run(_ body: (TestAuthority) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID().uuidString)")
            .path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(try await TestAuthority.make(in: folder))
    }

    /// The pair as it lies there, under its file's name.
    static func pair(_ issued: TestCertificate) throws -> TLSPair {
        let name = URL(filePath: issued.certificate).deletingPathExtension().lastPathComponent
        return try TLSPair(name: name, certificatePEM: try bytes(issued.certificate), keyPEM: try bytes(issued.key))
    }

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// The certificates of a chain, each with its marks.
    static func blocks(_ text: [UInt8]) -> [[UInt8]] {
        String(decoding: text, as: UTF8.self).components(separatedBy: "-----BEGIN").dropFirst()
            .map { Array("-----BEGIN\($0)".utf8) }
    }
}

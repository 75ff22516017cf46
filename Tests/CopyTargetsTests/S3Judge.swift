import Foundation
import ServiceKit
import TestSupport
import Testing

@testable import CopyTargets

/// The S3 server of `Judges/s3.py`, which compares each signature with botocore's.
struct S3Judge {
    /// Not the first python3 of the path: that may be another one without the package.
    private static let interpreter = "/usr/bin/python3"
    private static let script =
        #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Judges/s3.py"

    static var isInstalled: Bool {
        FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/botocore/__init__.py")
    }
    /// Why a test is left out.
    static let absence: Comment = "SKIPPED: python3-botocore is missing (apt-get install python3-botocore)"

    private let endpoint: String

    /// Runs `body` with a server, which is gone on every way out.
    ///
    /// - Parameter certificate: The files of a certificate and its key, for https.
    static func with<Value>(
        certificate: [String] = [], in scratch: String, _ body: (S3Judge) async throws -> Value
    ) async throws -> Value {
        let output = "\(scratch)/s3.port"
        let process = try await BoundProcess(
            [
                "bash", "-c", #"exec "$0" "${@:3}" >"$1" 2>"$2""#, interpreter, output, "\(scratch)/s3.log", script,
            ] + certificate)
        do {
            var port = ""
            try await eventually("the server prints its port") {
                port = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
                return port.hasSuffix("\n")
            }
            let scheme = certificate.isEmpty ? "http" : "https"
            let host = certificate.isEmpty ? "127.0.0.1" : "localhost"
            let value = try await body(S3Judge(endpoint: "\(scheme)://\(host):\(port.dropLast())"))
            try await process.kill()
            return value
        } catch {
            print(String(decoding: FileManager.default.contents(atPath: "\(scratch)/s3.log") ?? Data(), as: UTF8.self))
            try await process.kill()
            throw error
        }
    }

    /// Opens the bucket, in which the server answers in a mode.
    func target(
        _ mode: String = "", prefix: String = "", keys: CopyCredentials.S3Keys = .valid, region: String = "eu-test-1",
        authorities: [UInt8]? = nil, limits: TransferPace.Limits = .init()
    ) throws -> S3Target {
        let bucket = "copies" + (mode.isEmpty ? "" : ".\(mode)")
        let text = "s3://\(bucket)\(prefix)?region=\(region)&endpoint=\(endpoint)"
        guard case .s3(let address) = try CopyTargetAddress(text) else { throw CopyTargetAddressError(text) }
        return try S3Target(address, CopyCredentials(s3: keys, authorities: authorities), limits: limits)
    }
}

extension CopyCredentials.S3Keys {
    static let valid = Self(id: "AKIDEXAMPLE", secret: Secret("s3/secret+key"))
    static let temporary = Self(
        id: "AKIDEXAMPLE", secret: Secret("s3/secret+key"), sessionToken: Secret("session/token+"))
}

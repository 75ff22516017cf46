import Foundation
import ServiceKit
import TestSupport
import Testing

@testable import CopyTargets

@Suite(.enabled(if: S3Judge.isInstalled, S3Judge.absence), .timeLimit(.minutes(5)))
struct S3TargetTests {
    /// Runs `body` with a server, and a folder for local files.
    private func withServer(_ body: (S3Judge, String) async throws -> Void) async throws {
        try await withScratchFolder { scratch in
            try await S3Judge.with(in: scratch) { server in try await body(server, scratch) }
        }
    }

    @Test(arguments: ["", "/latchkey", "/eu/Latchkey_1"])
    func `a bucket keeps the contract of targets`(prefix: String) async throws {
        try await withServer { server, scratch in
            try await checkContract(of: server.target(prefix: prefix), in: scratch)
        }
    }

    @Test func `temporary keys have a token, which is signed`() async throws {
        try await withServer { server, scratch in
            try await checkContract(of: server.target(keys: .temporary), in: scratch)
        }
    }

    @Test func `a server that closes each connection keeps the contract`() async throws {
        try await withServer { server, scratch in
            // HEAD of a response without Content-Length has no size.
            let files = Files(target: try server.target(), folder: scratch)
            try await files.put(100_000, as: "a")
            let closing = Files(target: try server.target("closing"), folder: scratch)
            try await closing.expectSame("a")
            try await closing.expect([("a", 100_000)], under: "")
            try await closing.target.remove(["a", "none"])
            try await files.expect([], under: "")
        }
    }

    @Test func `other prefixes of the bucket are not the target's`() async throws {
        try await withServer { server, scratch in
            try await Files(target: try server.target(prefix: "/a"), folder: scratch).put(1, as: "one")
            try await Files(target: try server.target(prefix: "/ab"), folder: scratch).put(2, as: "two")
            try await Files(target: try server.target(prefix: "/a"), folder: scratch).expect([("one", 1)], under: "")
            try await Files(target: try server.target(), folder: scratch)
                .expect([("a/one", 1), ("ab/two", 2)], under: "a")
        }
    }

    @Test func `a listing has many pages`() async throws {
        try await withServer { server, scratch in
            let files = Files(target: try server.target(prefix: "/p"), folder: scratch)
            let names = (10..<30).map { "file-\($0)" }
            for name in names { try await files.put(1, as: name) }
            try await files.expect(names.map { ($0, 1) }, under: "file-")
            await expectFailure(.unexpected) { _ = try await server.target("looping").list("") }
            await expectFailure(.unexpected) { _ = try await server.target("endless").list("") }
        }
    }

    @Test(arguments: [
        ("revoked", CopyTargetFailure.Reason.refused), ("denied", .refused), ("expired", .refused),
        ("busy", .unreachable),
        ("full", .full), ("odd", .unexpected), ("moved", .refused), ("skewed", .refused),
    ]) func `a refusal has a reason, and nothing of the server's text`(
        mode: String, reason: CopyTargetFailure.Reason
    ) async throws {
        try await withServer { server, scratch in
            let files = Files(target: try server.target(mode), folder: scratch)
            for bytes in [10, 3_000_000] { await expectFailure(reason) { try await files.put(bytes, as: "a") } }
            let words = await expectFailure(reason) { try await files.target.get("a", to: "\(scratch)/none") }
            #expect(!words.contains("weird") && !words.contains("\u{1B}"))
            if mode == "moved" { #expect(words.contains("us-west-9")) }
            if mode == "skewed" { #expect(words.contains("this host's clock differs")) }
            #expect(!FileManager.default.fileExists(atPath: "\(scratch)/none"))
            await expectFailure(reason) { _ = try await files.target.list("") }
            await expectFailure(reason) { try await files.target.remove(["a"]) }
        }
    }

    @Test(arguments: [
        (CopyCredentials.S3Keys(id: "AKIDEXAMPLE", secret: Secret("wrong")), "SignatureDoesNotMatch"),
        (CopyCredentials.S3Keys(id: "AKIDREVOKED", secret: Secret("s3/secret+key")), "InvalidAccessKeyId"),
    ]) func `wrong keys are refused`(keys: CopyCredentials.S3Keys, code: String) async throws {
        try await withServer { server, scratch in
            let files = Files(target: try server.target(keys: keys), folder: scratch)
            let words = await expectFailure(.refused) { try await files.put(10, as: "a") }
            #expect(words.contains(code) && !words.contains(keys.secret.value))
        }
    }

    @Test func `a wrong region and a missing bucket are named`() async throws {
        try await withServer { server, _ in
            let words = await expectFailure(.refused) { _ = try await server.target(region: "eu-test-2").list("") }
            #expect(words.contains("AuthorizationHeaderMalformed"))
        }
        let address = try CopyTargetAddress("s3://none?region=x&endpoint=http://127.0.0.1:1")
        #expect(throws: SettingsError.self) { try address.open(CopyCredentials(s3: nil)) }
    }

    @Test func `a server that stores less is noticed`() async throws {
        try await withServer { server, scratch in
            let files = Files(target: try server.target("short"), folder: scratch)
            await expectFailure(.unexpected) { try await files.put(10, as: "a") }
        }
    }

    @Test func `a frozen server is too slow`() async throws {
        try await withServer { server, scratch in
            let files = Files(target: try server.target("frozen", limits: .short), folder: scratch)
            try await promptly("requests to a frozen server") {
                await expectFailure(.tooSlow) { try await files.put(3_000_000, as: "a") }
                await expectFailure(.tooSlow) { _ = try await files.target.list("") }
            }
        }
    }

    @Test func `a server of a kilobyte a second is too slow, or not, by the limit`() async throws {
        try await withServer { server, scratch in
            var limits = TransferPace.Limits(
                stall: .seconds(8), window: .seconds(8), bytesPerSecond: 256, interval: .milliseconds(100))
            let patient = Files(target: try server.target("slow", limits: limits), folder: scratch)
            try await patient.put(12_000, as: "a")
            try await patient.expectSame("a")
            limits.bytesPerSecond = 4096
            let strict = Files(target: try server.target("slow", limits: limits), folder: scratch)
            // More than the kernels' buffers take at once.
            await expectFailure(.tooSlow) { try await strict.put(30_000_000, as: "b") }
        }
    }

    @Test func `a certificate must be trusted`() async throws {
        try await withScratchFolder { scratch in
            let script = """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost -keyout key.pem -out certificate.pem
                """
            let made = try await Shell.run(script, in: scratch)
            try #require(made.isSuccess, "\(made.output)")
            try await S3Judge.with(certificate: ["\(scratch)/certificate.pem", "\(scratch)/key.pem"], in: scratch) {
                server in
                await expectFailure(.wrongHostKey) { _ = try await server.target().list("") }
                let authority = try #require(FileManager.default.contents(atPath: "\(scratch)/certificate.pem"))
                try await checkContract(of: server.target(authorities: Array(authority)), in: scratch)
            }
        }
    }
}

import AuthAPI
import Foundation
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The document from which clients learn about a deployment.
@Suite struct DiscoveryDocumentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/policies")

    private func document(_ policy: String, sendsMail: Bool = true) throws -> DiscoveryDocument {
        let policy = try Policy.load(named: policy, directory: Self.folder.path())
        let native = try #require(policy.dialects.first { $0.name == Dialect.native })
        return DiscoveryDocument(of: native, in: policy, sendsMail: sendsMail)
    }

    @Test func `howru's document names codes, mail and the lifetime of access tokens`() throws {
        let reply = try document("howru").file.reply(knowing: nil)
        let discovery = try JSONDecoder().decode(Discovery.self, from: Data(reply.body))
        #expect(discovery.api == 1 && discovery.issuer == "howru.app" && !discovery.passwords)
        #expect(discovery.codes?.length == 6 && discovery.codes?.channels.contains("sms") == true)
        #expect(discovery.mail?.lifetimeSeconds == 600 && discovery.access.lifetimeSeconds == 3_600)
        #expect(discovery.web == "none" && discovery.providers == ["apple"])
    }

    @Test func `what a deployment does not have is missing`() throws {
        let howru = try JSONDecoder().decode(
            Discovery.self, from: Data(try document("howru", sendsMail: false).file.body))
        #expect(howru.mail == nil)
        let voltyks = try JSONDecoder().decode(Discovery.self, from: Data(try document("voltyks").file.body))
        #expect(voltyks.codes == nil && voltyks.passwords)
    }

    @Test func `at the host of a dialect the document has its numbers, and the native API's elsewhere`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "aarokya.yaml"), encoding: .utf8)
            .replacing(
                "- name: aarokya\n",
                with: "- name: aarokya\n    host: api.aarokya.in\n    otp: { lifetimeSeconds: 120 }\n",
                maxReplacements: 1)
        let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try text.write(to: folder.appending(path: "hosts.yaml"), atomically: true, encoding: .utf8)
        let policy = try Policy.load(named: "hosts", directory: folder.path())
        let table = RouteTable(SpokenDialect.all(of: policy), app: [])
        func document(at host: String) throws -> DiscoveryDocument? {
            let path = Array("/.well-known/latchkey".utf8)
            guard case .own(let rows) = table.match(.get, path.span, host: { host }).match else { return nil }
            return SpokenDialect.all(of: policy).first { $0.dialect.name == rows.first.dialect.name }?.discovery
        }
        for (host, name) in [("api.aarokya.in", Dialect.aarokya), ("elsewhere.example", Dialect.native)] {
            let dialect = try #require(policy.dialects.first { $0.name == name })
            let reply = try #require(try document(at: host))
            let discovery = try JSONDecoder().decode(Discovery.self, from: Data(reply.file.body))
            #expect(discovery.codes?.lifetimeSeconds == dialect.otp.lifetimeSeconds)
            #expect(discovery.access.lifetimeSeconds == policy.profile(named: dialect.profile)?.accessLifetimeSeconds)
        }
    }

    @Test func `a client that has the document is told so`() throws {
        let file = try document("howru").file
        for known in [file.entityTag, "W/" + file.entityTag, "\"another\", \(file.entityTag)", "*"] {
            let reply = file.reply(knowing: known)
            #expect(reply.status == 304 && reply.body.isEmpty)
        }
        #expect(file.reply(knowing: "\"another\"").status == 200)
        #expect(try document("aarokya").file.entityTag != file.entityTag)
    }
}

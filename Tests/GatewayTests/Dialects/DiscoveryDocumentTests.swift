import AuthAPI
import Foundation
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// What clients learn about a deployment.
@Suite struct DiscoveryDocumentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/policies")

    private func document(_ policy: String, sendsMail: Bool = true) throws -> DiscoveryDocument {
        DiscoveryDocument(of: try Policy.load(named: policy, directory: Self.folder.path()), sendsMail: sendsMail)
    }

    @Test func `howru's document names codes, mail and the lifetime of access tokens`() throws {
        let reply = try document("howru").reply(knowing: nil)
        let discovery = try JSONDecoder().decode(Discovery.self, from: Data(reply.body))
        #expect(discovery.api == 1 && discovery.issuer == "howru.app" && !discovery.passwords)
        #expect(discovery.codes?.length == 6 && discovery.codes?.channels.contains("sms") == true)
        #expect(discovery.mail?.lifetimeSeconds == 600 && discovery.access.lifetimeSeconds == 3_600)
        #expect(discovery.web == "none" && discovery.providers.isEmpty)
    }

    @Test func `what a deployment does not have is missing`() throws {
        let howru = try JSONDecoder().decode(
            Discovery.self, from: Data(try document("howru", sendsMail: false).body))
        #expect(howru.mail == nil)
        let voltyks = try JSONDecoder().decode(Discovery.self, from: Data(try document("voltyks").body))
        #expect(voltyks.codes == nil && voltyks.passwords)
    }

    @Test func `a client that has the document is told so`() throws {
        let document = try document("howru")
        for known in [document.entityTag, "W/" + document.entityTag] {
            let reply = document.reply(knowing: known)
            #expect(reply.status == 304 && reply.body.isEmpty)
        }
        #expect(document.reply(knowing: "\"another\"").status == 200)
        #expect(try self.document("aarokya").entityTag != document.entityTag)
    }
}

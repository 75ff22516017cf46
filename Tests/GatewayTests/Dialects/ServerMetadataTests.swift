import Foundation
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// `GET /.well-known/oauth-authorization-server` (RFC 8414).
@Suite struct ServerMetadataTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/policies").path()
    private static let path = "/.well-known/oauth-authorization-server"

    private func row(address: String?) throws -> DialectRow? {
        let policy = try Policy.load(named: "starter", directory: Self.folder)
        return SpokenDialect.all(of: policy, address: address.flatMap(PublicURL.init)).flatMap(\.rows)
            .first { $0.pattern.text == Self.path }
    }

    @Test func `the document has the issuer of the tokens, and addresses under the public URL`() throws {
        let address = try #require(PublicURL("https://auth.example.com/"))
        let body = try JSONEncoder().encode(ServerMetadata(issuer: "https://auth.example.com", address: address))
        let document = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(document["issuer"] as? String == "https://auth.example.com")
        #expect(document["jwks_uri"] as? String == "https://auth.example.com/.well-known/jwks.json")
        #expect(document["introspection_endpoint"] as? String == "https://auth.example.com/oauth/introspect")
        #expect(document["revocation_endpoint"] as? String == "https://auth.example.com/oauth/revoke")
        // Required by section 2.
        #expect((document["response_types_supported"] as? [String])?.isEmpty == true)
        #expect(document["token_endpoint"] as? String == "https://auth.example.com/oauth/token")
        #expect(document["grant_types_supported"] as? [String] == ["client_credentials"])
        #expect(document["authorization_endpoint"] == nil)
    }

    @Test func `the row is open, is not counted, and is there only if the public URL is known`() throws {
        let row = try #require(try row(address: "https://auth.example.com"))
        #expect(row.method == .get && row.access == .open && row.counting == .nothing)
        #expect(try self.row(address: nil) == nil)
    }
}

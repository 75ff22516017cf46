import FoundationEssentials
import InternalAPI
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The form of `POST /oauth/token`, read without any service.
@Suite struct TokenFormTests {
    private static let type = "client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"

    private func read(
        _ body: String, basic: String? = nil, contentType: String = "application/x-www-form-urlencoded"
    ) throws -> Result<ClientProof, OAuthError> {
        let credentials = basic.map { "Authorization: Basic \(Data($0.utf8).base64EncodedString())\r\n" } ?? ""
        let head = try HeadParsing.head(
            "POST /oauth/token HTTP/1.1\r\nHost: h\r\nContent-Type: \(contentType)\r\n\(credentials)\r\n")
        let request = EndpointRequest(head: head, body: Array(body.utf8), requestID: "r", clientAddress: "192.0.2.1")
        return TokenForm.read(ClientRequest(request))
    }

    private let grant = "grant_type=client_credentials"

    @Test func `a client proves who it is in one way`() throws {
        let secret = ClientProof(clientID: "api", secret: "s")
        #expect(try read(grant, basic: "api:s") == .success(secret))
        #expect(try read(grant, basic: "%61pi:%73") == .success(secret))
        #expect(try read(grant + "&client_id=api&client_secret=s") == .success(secret))
        #expect(
            try read(grant + "&\(Self.type)&client_assertion=a.b.c")
                == .success(ClientProof(clientID: nil, assertion: "a.b.c")))
        #expect(
            try read(grant + "&\(Self.type)&client_assertion=a.b.c&client_id=api")
                == .success(ClientProof(clientID: "api", assertion: "a.b.c")))
        for twice in [
            try read(grant + "&client_secret=s", basic: "api:s"), try read(grant + "&client_id=x", basic: "api:s"),
            try read(grant + "&\(Self.type)&client_assertion=a", basic: "api:s"),
            try read(grant + "&\(Self.type)&client_assertion=a&client_id=api&client_secret=s"),
        ] { #expect(twice == .failure(.twice)) }
        for missing in [try read(grant), try read(grant + "&client_id=api"), try read(grant, basic: "api:")] {
            #expect(missing == .failure(.invalidClient))
        }
    }

    @Test func `the grant type is the one that there is, and scopes are none`() throws {
        #expect(try read("grant_type=password", basic: "api:s") == .failure(.unsupportedGrantType))
        #expect(try read(grant + "&scope=a", basic: "api:s") == .failure(.invalidScope))
        #expect(try read(grant + "&scope=", basic: "api:s") == .success(ClientProof(clientID: "api", secret: "s")))
        for body in ["", "grant_type=", grant + "&" + grant, grant + "&a=1&a=2", grant + "&a=%00", "x"] {
            guard case .failure(.invalidRequest) = try read(body, basic: "api:s") else {
                Issue.record("accepted: \(body)")
                continue
            }
        }
        for type in ["application/json", "text/plain"] {
            guard case .failure(.invalidRequest) = try read(grant, basic: "api:s", contentType: type) else {
                Issue.record("accepted: \(type)")
                continue
            }
        }
    }
}

import AuthAPI
import InternalAPI
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct ClientIdempotencyKeyTests {
    private func key(_ lines: String...) throws -> ClientIdempotencyKey {
        let head = "POST /auth/refresh HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
        return ClientIdempotencyKey(try HeadParsing.head(head + lines.map { $0 + "\r\n" }.joined() + "\r\n"))
    }

    @Test func `one header of visible characters is a key, none is none`() throws {
        #expect(try key() == .none)
        let longest = String(repeating: "k", count: IdempotencyKey.lengthMax)
        for text in ["a", "~!", longest] {
            let read = try key("idempotency-KEY: \(text)")
            #expect(try read == .key(#require(IdempotencyKey(text))))
        }
    }

    @Test func `an empty, long, spaced, foreign or doubled one is malformed`() throws {
        let tooLong = String(repeating: "k", count: IdempotencyKey.lengthMax + 1)
        for text in ["", "a b", "é", tooLong] {
            #expect(try key("Idempotency-Key: \(text)") == .malformed)
        }
        #expect(try key("Idempotency-Key: a", "Idempotency-Key: a") == .malformed)
        #expect(try key("Idempotency-Key:", "idempotency-key: a") == .malformed)
    }

    @Test func `a call has the same id for a repeat with the same key alone`() throws {
        let path = OTPOperations.verify.path
        func id(_ lines: [String], user: String? = nil, body: String = "{}") throws -> String {
            let text = "POST /auth/otp/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
            let head = try HeadParsing.head(text + lines.map { $0 + "\r\n" }.joined() + "\r\n")
            let request = EndpointRequest(head: head, body: Array(body.utf8), requestID: "r", clientAddress: "::1")
            return try ClientCall(ClientRequest(request)).id(path, user: user)
        }
        let key = ["Idempotency-Key: k1"]
        #expect(try id(key) == id(key))
        #expect(try id(key) != id(["Idempotency-Key: k2"]))
        #expect(try id(key) != id(key, user: "usr_1"))
        #expect(try id(key) != id(key, body: "{ }"))
        #expect(try id([]) != id([]))
    }

    @Test func `a refresh that asks for rights is told apart by its members alone`() throws {
        for name in ["scope", "aud", "audience", "resource", "role", "claims"] {
            #expect(try asksForRights(#"{"refreshToken":"t","\#(name)":null}"#))
        }
        for body in [#"{"refreshToken":"scope"}"#, #"{"refreshToken":"t","device":{"role":1}}"#] {
            #expect(try !asksForRights(body))
        }
    }

    private func asksForRights(_ json: String) throws -> Bool {
        let asking = try JSONBody(Array(json.utf8)).decode(AskingBody<RefreshBody>.self)
        #expect(!asking.body.refreshToken.isEmpty)
        return asking.rights.isAny
    }
}

import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import ServiceCalls
import ServiceHTTP
import TestSupport
import Testing

@testable import UserCore

@Suite struct UserRoutesTests {
    private let fixture: UserFixture
    private let pairKeys: KeyRing
    private let calls: OwnCalls
    private let router: Router<ServiceRequestContext>
    private let phone = "+15551234567"

    init() throws {
        fixture = try UserFixture()
        pairKeys = try UserFixture.ring()
        calls = OwnCalls(to: "user", keys: [.gateway: pairKeys])
        let routes = try fixture.wiring()
        router = serviceRouter(verifier: calls.verifier) { routes.add(to: &$0) }
    }

    private struct Answer {
        let status: Int
        let body: String
        let retryAfter: String?

        func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body.utf8))
        }
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, body: String = ""
    ) async throws -> Answer {
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name(AssertionSigner.header))] =
            calls.sign(
                AssertedRequest(
                    method: method.rawValue, path: path, authorization: token.map { "Bearer \($0)" } ?? "",
                    body: Array(body.utf8)),
                as: .gateway, keys: pairKeys
            ).text
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await Application(router: router).test(.router) { [headers] client in
            try await client.execute(uri: path, method: method, headers: headers, body: ByteBuffer(string: body)) {
                Answer(
                    status: $0.status.code, body: String(buffer: $0.body), retryAfter: $0.headers[.retryAfter])
            }
        }
    }

    private func resolve(_ phone: String) async throws -> Answer {
        let request = ResolveRequest(attestation: try fixture.attestation(.phone(phone)), name: "Betty")
        let body = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        return try await send(.post, UserOperations.resolve.path, body: body)
    }

    /// The token of a user who has just signed up.
    private func token() async throws -> String {
        let user = try await resolve(phone).decoded(as: ResolveAnswer.self).user
        return try fixture.accessToken(user.id)
    }

    @Test func `a user signs up, reads, changes and gives up his profile`() async throws {
        let token = try await token()
        let read = try await send(.get, UserOperations.readProfile.path, token: token)
        #expect(read.status == 200)
        #expect(try read.decoded(as: UserDetails.self).phoneNumber == phone)
        let body = """
            {"name":"Bet","attributes":{"isChecker":true},"role":"admin","phoneNumber":"+1","id":"x","is_active":false}
            """
        let changed = try await send(.patch, UserOperations.readProfile.path, token: token, body: body)
        let profile = try changed.decoded(as: UserDetails.self)
        #expect(profile.name == "Bet" && profile.attributes["isChecker"] == .boolean(true))
        #expect(profile.role == "user" && profile.phoneNumber == phone)
        #expect(try await send(.delete, UserOperations.readProfile.path, token: token).status == 200)
        #expect(try await send(.delete, UserOperations.readProfile.path, token: token).status == 200)
        let gone = try await send(.get, UserOperations.readProfile.path, token: token)
        #expect(gone.status == 401 && gone.body.contains(BearerRefusal.invalidToken.rawValue))
    }

    @Test(arguments: [
        #"{"name":1,"attributes":{}}"#, #"{"name":["a"],"attributes":{}}"#, #"{"name":{},"attributes":{}}"#,
        #"{"attributes":{"isChecker":1}}"#, #"{"attributes":{"isChecker":"true"}}"#, "{}", "[]", "",
        #"{"name":"a","name":"b","attributes":{}}"#, #"{"name":"a","attributes":{},}"#,
        #"{"name":"","attributes":{}}"#, #"{"name":"a\u0000","attributes":{}}"#,
    ])
    func `a change that is not what was agreed is 400 and changes nothing`(body: String) async throws {
        let token = try await token()
        let answer = try await send(.patch, UserOperations.readProfile.path, token: token, body: body)
        #expect(answer.status == 400 && answer.body.contains(BearerBodyRefusal.invalidRequest.rawValue))
        let profile = try await send(.get, UserOperations.readProfile.path, token: token).decoded(as: UserDetails.self)
        #expect(profile.name == "Betty" && profile.attributes["isChecker"] == .boolean(false))
    }

    @Test func `without a token, or with that of nobody here, every route about me is 401`() async throws {
        let stranger = try fixture.accessToken("usr_0123456789ab7fffbfffffffffffffff")
        for method in [HTTPRequest.Method.get, .patch, .delete] {
            for token in [nil, "garbage", stranger] {
                let answer = try await send(
                    method, UserOperations.readProfile.path, token: token, body: #"{"attributes":{}}"#)
                #expect(answer.status == 401 && answer.body.contains(BearerRefusal.invalidToken.rawValue))
            }
        }
    }

    @Test func `refusals have the codes of the contract`() async throws {
        let forged = try await send(.post, UserOperations.resolve.path, body: #"{"attestation":"a.b.c"}"#)
        #expect(forged.status == 401 && forged.body.contains(ResolveRefusal.attestationRefused.rawValue))
        #expect(try await send(.post, UserOperations.resolve.path, body: "{}").status == 400)
        let token = try await token()
        try await fixture.execute("UPDATE users SET is_active = 0")
        for answer in [try await resolve(phone), try await send(.get, UserOperations.readProfile.path, token: token)] {
            #expect(answer.status == 403 && answer.body.contains(BearerRefusal.accountInactive.rawValue))
        }
    }

    @Test func `while token-service is away a deletion is 503 with Retry-After`() async throws {
        let token = try await token()
        #expect(try await send(.get, UserOperations.readProfile.path, token: token).status == 200)
        // The keys are known by now: only the confirmation fails.
        fixture.tokenService.setAway(true)
        let answer = try await send(.delete, UserOperations.readProfile.path, token: token)
        #expect(answer.status == 503 && answer.retryAfter == "1")
        #expect(try await fixture.count("outbox") == 1)
        fixture.tokenService.setAway(false)
        #expect(try await send(.delete, UserOperations.readProfile.path, token: token).status == 200)
    }

    @Test func `without keys and token-service a request about me is 503, never 401`() async throws {
        let token = try await token()
        fixture.tokenService.setAway(true)
        let answer = try await send(.get, UserOperations.readProfile.path, token: token)
        #expect(answer.status == 503 && answer.retryAfter == "1")
    }

    @Test func `a store that fails is 503 and shows nothing of itself`() async throws {
        let token = try await token()
        try await fixture.execute("ALTER TABLE users RENAME TO elsewhere")
        let answer = try await send(.get, UserOperations.readProfile.path, token: token)
        #expect(answer.status == 503 && answer.retryAfter == "1")
        #expect(!answer.body.contains("users") && !answer.body.contains("SQL"))
    }
}

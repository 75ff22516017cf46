import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import SampleAPICore

@Suite struct SampleAPITests {
    private func answer(
        _ method: HTTPRequest.Method, _ path: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> (status: Int, type: String?, body: String) {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return try await Application(router: SampleAPI.router()).test(.router) { [fields] client in
            try await client.execute(uri: path, method: method, headers: fields, body: ByteBuffer(string: body)) {
                ($0.status.code, $0.headers[.contentType], String(buffer: $0.body))
            }
        }
    }

    @Test func `the greeting shows the identity that the gateway vouches for`() async throws {
        let headers = [
            "X-User-Id": "usr_1", "X-User-Role": "admin", "X-Session-Id": "s1", "X-Request-Id": "r1",
            "X-User-Legacy-Id": "fb%201",
        ]
        let answer = try await answer(.get, "/api/hello", headers: headers)
        #expect(answer.status == 200)
        for value in headers.values { #expect(answer.body.contains("\"\(value)\"")) }
        #expect(answer.body.contains("Hello, usr_1"))
    }

    @Test func `without identity it greets a guest`() async throws {
        let answer = try await answer(.get, "/api/hello")
        #expect(answer.body.contains("Hello, guest"))
        #expect(!answer.body.contains("userId"))
    }

    @Test func `the echo sends body and media type back`() async throws {
        let answer = try await answer(.post, "/api/echo", headers: ["Content-Type": "text/x"], body: "abc")
        #expect(answer == (200, "text/x", "abc"))
    }

    @Test func `other paths are not found`() async throws {
        #expect(try await answer(.get, "/api/other").status == 404)
    }
}

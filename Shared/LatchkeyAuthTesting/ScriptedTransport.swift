public import Foundation
public import LatchkeyAuth

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that sends nothing: a test sets the response to each request.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.on("POST", "/auth/otp/verify", .signIn())
/// transport.on("GET", "/users/me", .json(401, ["code": "token_expired"]), .json(200, ["id": "usr_1"]))
/// ```
///
/// The responses of a path are used one after the other; the last one stays. A request without any is 404.
public final class ScriptedTransport: Transport {
    private let script = Guarded(Script())

    private struct Script {
        var responses: [String: [Response]] = [:]
        var requests: [URLRequest] = []
    }

    public init() {}

    /// The requests that were sent so far.
    public var requests: [URLRequest] { script.change { $0.requests } }

    /// Sets the responses to a method and path.
    public func on(_ method: String, _ path: String, _ responses: Response...) {
        script.change { $0.responses["\(method) \(path)"] = responses }
    }

    public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let key = "\(request.httpMethod ?? "GET") \(request.url?.path(percentEncoded: false) ?? "")"
        let response = script.change { script in
            script.requests.append(request)
            let left = script.responses[key] ?? []
            if left.count > 1 { script.responses[key] = Array(left.dropFirst()) }
            return left.first
        }
        return try (response ?? .json(404, ["code": "not_found"])).answer(request)
    }

    /// The response to a request.
    public struct Response: Sendable {
        let answer: @Sendable (URLRequest) throws -> (Data, HTTPURLResponse)

        /// A body with a status.
        public static func raw(
            _ status: Int, _ body: String, headers: [String: String] = [:]
        ) -> Response {
            Response { request in
                guard let url = request.url,
                    let response = HTTPURLResponse(
                        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
                else { throw AuthError.offline }
                return (Data(body.utf8), response)
            }
        }

        /// A JSON object of strings.
        public static func json(
            _ status: Int, _ members: [String: String], headers: [String: String] = [:]
        ) -> Response {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // A dictionary of strings always encodes.
            let body = (try? encoder.encode(members)) ?? Data("{}".utf8)
            return raw(status, String(decoding: body, as: UTF8.self), headers: headers)
        }

        /// No response.
        public static func failure(_ error: AuthError) -> Response { Response { _ in throw error } }

        /// A successful sign-in. The tokens are `access-1` and `refresh-1`, unless named.
        public static func signIn(
            userID: String = "usr_1", access: String = "access-1", refresh: String = "refresh-1",
            expiresIn: Int = 3600, isNewUser: Bool = false
        ) -> Response {
            raw(
                200,
                """
                {"success":true,"isNewUser":\(isNewUser),"user":{"id":"\(userID)","phoneNumber":null,"role":"user",\
                "createdAt":1800000000},"tokens":{"accessToken":"\(access)","refreshToken":"\(refresh)",\
                "expiresIn":\(expiresIn)}}
                """)
        }

        /// New tokens.
        public static func tokens(access: String, refresh: String, expiresIn: Int = 3600) -> Response {
            raw(
                200, #"{"accessToken":"\#(access)","refreshToken":"\#(refresh)","expiresIn":\#(expiresIn)}"#)
        }
    }
}

import AuthAPI
import TestSupport
import Testing

extension Live {
    /// Refused requests count for the client's address, on whichever path.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_POLICY": KeyPolicy.write(
                "refused-requests",
                changing: PasswordPolicyFile.changes.merging([
                    "authLimit: { max: 1200, windowSeconds: 60 }": "authLimit: { max: 30, windowSeconds: 3600 }"
                ]) { $1 }), "LATCHKEY_LIMIT_LOCAL": "1",
        ])) struct RefusedRequestTests
    {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private static let requests: [(String, String)] = [
            ("/auth/otp/request", #"{"phoneNumber":"12"}"#), ("/auth/otp/request", "["),
            ("/auth/otp/verify", #"{"phoneNumber":"12","code":"123456"}"#),
            ("/auth/magic-link/request", #"{"email":"none"}"#),
            ("/auth/magic-link/verify", #"{"email":"none","code":"123456"}"#),
            ("/auth/register", #"{"email":"none","password":"long enough 1"}"#),
            ("/auth/login", #"{"email":"none","password":"long enough 1"}"#),
            ("/auth/forgot-password", #"{"email":"none"}"#), ("/auth/verify-email/resend", #"{"email":"none"}"#),
            ("/webhooks/resend", "{}"), ("/webhooks/twilio/status", "x=y"), ("/webhooks/nobody", "{}"),
            ("/no/such/path", "{}"),
        ]

        /// Requests whose head is refused, because the body is encoded or too long, and one whose chunks become too long.
        @Test(arguments: [
            (1, 415, [("Content-Encoding", "gzip")], 2, false), (2, 413, [("Expect", "100-continue")], 20_000, false),
            (3, 413, [], 20_000, true),
        ])
        func `a client whose bodies are refused is told to come later`(
            index: Int, status: Int, headers: [(String, String)], bodyBytes: Int, isChunked: Bool
        ) async throws {
            let client = [("X-Forwarded-For", "100.66.\(index).7")] + headers
            var statuses: [Int] = []
            for _ in 0..<60 {
                statuses.append(
                    try await stack.gateway.send(
                        "POST", "/auth/otp/request", headers: client, body: [UInt8](repeating: 0x20, count: bodyBytes),
                        isChunked: isChunked
                    ).status)
            }
            #expect(statuses.prefix(20).allSatisfy { $0 == status }, "\(statuses)")
            #expect(statuses.suffix(20).allSatisfy { $0 == 429 }, "\(statuses)")
        }

        @Test(arguments: requests.indices) func `a client is told to come later`(index: Int) async throws {
            let (path, body) = Self.requests[index]
            let client = [("X-Forwarded-For", "100.64.\(index).7")]
            var statuses: [Int] = []
            for _ in 0..<60 {
                statuses.append(
                    try await stack.gateway.send("POST", path, headers: client, body: Array(body.utf8)).status)
            }
            #expect(statuses.prefix(20).allSatisfy { (400..<500).contains($0) && $0 != 429 }, "\(path) \(statuses)")
            #expect(statuses.suffix(20).allSatisfy { $0 == 429 }, "\(path) \(statuses)")
            // Requests that are served count nowhere here, and another client is served.
            let other = [("X-Forwarded-For", "100.65.\(index).7")]
            for _ in 0..<40 {
                let answer = try await stack.gateway.post(
                    "/auth/forgot-password", encoding: AccountMailBody(email: "ann@example.com"), headers: other)
                #expect(answer.status == 200, "\(path)")
            }
        }
    }
}

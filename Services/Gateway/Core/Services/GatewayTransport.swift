internal import InternalAPI
internal import NIOCore
internal import ServiceKit

/// Carries the gateway's requests to one of our services over the upstream pools, with an assertion for each try.
struct GatewayTransport: InternalTransport {
    /// For all tries together; a service that takes longer is answered for with 503 (security guide F-43).
    static let timeout: TimeAmount = .seconds(3)
    /// Longer than a message provider may take, whose outcome must not be lost.
    static let sendTimeout: TimeAmount = .seconds(7)

    let group: UpstreamGroup
    let signer: AssertionSigner
    let client: UpstreamClient

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        do throws(UpstreamFailure) {
            let timeout = request.path == OTPContract.requestPath ? Self.sendTimeout : Self.timeout
            let answer = try await client.send(to: group, timeout: timeout, body: request.body) { endpoint in
                head(of: request, to: endpoint)
            }
            return InternalResponse(status: answer.status, body: answer.body)
        } catch {
            throw ServiceUnavailable(service: group.name, reason: error.rawValue)
        }
    }

    private func head(of request: InternalRequest, to endpoint: UpstreamEndpoint) -> String {
        let method = request.method.rawValue
        let assertion = signer.assertion(method: method, path: request.path, body: request.body)
        var head = "\(method) \(request.path) HTTP/1.1\r\nHost: \(endpoint.authority)\r\n"
        head += "\(AssertionSigner.header): \(assertion)\r\nContent-Length: \(request.body.count)\r\n"
        if !request.body.isEmpty { head += "Content-Type: application/json\r\n" }
        // A bearer was checked to be of token characters before it came here.
        if let token = request.accessToken { head += "Authorization: Bearer \(token)\r\n" }
        if let requestID = request.requestID { head += "X-Request-Id: \(requestID)\r\n" }
        return head + "\r\n"
    }
}

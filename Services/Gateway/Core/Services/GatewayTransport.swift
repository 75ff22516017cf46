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
            let answer = try await client.send(to: group, timeout: timeout, body: request.body) { endpoint, buffer in
                writeHead(of: request, to: endpoint, into: &buffer)
            }
            return InternalResponse(status: answer.status, body: answer.body)
        } catch {
            throw ServiceUnavailable(service: group.name, reason: error.rawValue)
        }
    }

    private func writeHead(of request: InternalRequest, to endpoint: UpstreamEndpoint, into buffer: inout ByteBuffer) {
        let method = request.method.rawValue
        buffer.writeString(method)
        buffer.writeStaticString(" ")
        buffer.writeString(request.path)
        buffer.writeStaticString(" HTTP/1.1\r\n")
        ReplySerializer.writeField("Host", endpoint.authority, into: &buffer)
        let assertion = signer.assertion(method: method, path: request.path, body: request.body)
        ReplySerializer.writeField(AssertionSigner.header, assertion, into: &buffer)
        ReplySerializer.writeField("Content-Length", String(request.body.count), into: &buffer)
        if !request.body.isEmpty { ReplySerializer.writeField("Content-Type", "application/json", into: &buffer) }
        if let token = request.accessToken {
            ReplySerializer.writeField("Authorization", "Bearer \(token)", into: &buffer)
        }
        if let requestID = request.requestID { ReplySerializer.writeField("X-Request-Id", requestID, into: &buffer) }
        buffer.writeStaticString("\r\n")
    }
}

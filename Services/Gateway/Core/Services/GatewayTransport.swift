import CallDeadlines
import EdgeHTTP
import InternalAPI
import NIOCore
import ServiceCalls
import ServiceKit
import Spans

/// Sends the gateway's requests to one of our services over the upstream pools, with an assertion for each try. A response that its
/// proof does not cover counts as no response.
struct GatewayTransport: InternalTransport {
    let group: UpstreamGroup
    let signer: AssertionSigner
    let client: UpstreamClient
    /// Learns how the service's clock differs.
    let clocks: ClockPeers

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        try await request.withSpan(of: group.name) { () throws(ServiceUnavailable) in try await call(request) }
    }

    private func call(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        let deadline = NIODeadline.now() + TimeAmount(request.timeLimit)
        let end = BootClock.nanoseconds() &+ TimeAmount(request.timeLimit).nanoseconds
        let refusals = CallRefusals(of: group.name, clocks: clocks)
        while true {
            do throws(UpstreamFailure) {
                return try await attempt(request, refusals, before: deadline, until: end)
            } catch {
                // A service that did not know this process yet is called again.
                if error == .refusedAnswer, refusals.allowsRepeat(), NIODeadline.now() < deadline { continue }
                let reason = refusals.reason ?? AssertionSigner.unprovenAnswer
                throw ServiceUnavailable(
                    service: group.name, reason: error == .refusedAnswer ? reason : group.word(for: error))
            }
        }
    }

    /// - Parameter end: the deadline by a clock that also runs while the host is suspended, so that the service refuses a call which is
    ///   sent again long afterwards.
    private func attempt(
        _ request: InternalRequest, _ refusals: CallRefusals, before deadline: NIODeadline, until end: Int64
    ) async throws(UpstreamFailure) -> InternalResponse {
        let trace = TraceFields.current
        let answer = try await client.send(to: group, before: deadline, body: request.body) { endpoint, buffer in
            let call = writeHead(of: request, trace, until: end, to: endpoint, refusals.challenges, into: &buffer)
            return { Self.isAuthentic($0, body: $1, call, refusals) }
        }
        return InternalResponse(status: answer.status, body: answer.body)
    }

    private func writeHead(
        of request: InternalRequest, _ trace: TraceFields, until end: Int64, to endpoint: UpstreamEndpoint,
        _ challenges: [CallChallenge], into buffer: inout ByteBuffer
    ) -> SignedCall {
        let method = request.method.rawValue
        let authorization = request.accessToken.map { "Bearer \($0)" }
        let call = signer.sign(
            AssertedRequest(
                method: method, path: request.path, authorization: authorization ?? "", body: request.body),
            wait: .nanoseconds(end &- BootClock.nanoseconds()), answering: challenges)
        buffer.writeString(method)
        buffer.writeStaticString(" ")
        buffer.writeString(request.path)
        buffer.writeStaticString(" HTTP/1.1\r\n")
        ReplySerializer.writeField("Host", endpoint.authority, into: &buffer)
        ReplySerializer.writeField(AssertionSigner.header, call.text, into: &buffer)
        ReplySerializer.writeField("Content-Length", String(request.body.count), into: &buffer)
        if !request.body.isEmpty { ReplySerializer.writeField("Content-Type", "application/json", into: &buffer) }
        if let authorization { ReplySerializer.writeField("Authorization", authorization, into: &buffer) }
        if let requestID = request.requestID { ReplySerializer.writeField("X-Request-Id", requestID, into: &buffer) }
        for (name, value) in trace.lines { ReplySerializer.writeField(name, value, into: &buffer) }
        buffer.writeStaticString("\r\n")
        return call
    }

    /// Whether the response has exactly one proof, and it is valid.
    private static func isAuthentic(
        _ head: ResponseHead, body: ByteBuffer, _ call: SignedCall, _ refusals: CallRefusals
    ) -> Bool {
        let values = head.block.values("latchkey-answer")
        guard values.count == 1 else { return false }
        return call.proof.isGood(
            Array(head.block.view(values[0])), status: head.status, body: body.readableBytesUInt8Span, refusals)
    }
}

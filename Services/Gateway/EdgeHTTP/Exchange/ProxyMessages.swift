import Instrumentation
import NIOCore
import Spans

/// The heads of a proxied request and its response as the edge writes them.
enum ProxyMessages {
    /// Room for the fields that the edge adds to a head.
    private static let addedBytes = 512

    /// Returns the request's head as the upstream gets it.
    static func request(
        _ head: RequestHead, plan: ProxyPlan, to endpoint: UpstreamEndpoint, id: RequestID,
        span: InstrumentationContext? = nil, ids: inout IdentifierSource
    ) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(head.block.bytes.readableBytes + addedBytes)
        buffer.writeString(head.method.rawValue)
        buffer.writeStaticString(" ")
        buffer.writeBytes(plan.target)
        buffer.writeStaticString(" HTTP/1.1\r\nHost: ")
        buffer.writeString(endpoint.authority)
        buffer.writeStaticString("\r\n")
        let trace = TraceContext.traceID(in: head.block)
        ForwardedFields.writeRequest(
            head, keepsAuthorization: plan.keepsAuthorization, keepsTraceState: trace != nil,
            sharesCookies: plan.sharesCookies, except: plan.ownFieldNames, into: &buffer)
        buffer.writeBytes(plan.identityLines)
        writeForwarded(head, plan, into: &buffer)
        ReplySerializer.writeRequestID(id, into: &buffer)
        if let span {
            for (name, value) in TraceFields(span).lines { ReplySerializer.writeField(name, value, into: &buffer) }
        } else {
            TraceContext.write(trace, of: head.block, ids: &ids, into: &buffer)
        }
        writeFraming(head.framing, into: &buffer)
        plan.long?.handshake?.writeRequest(head.block, into: &buffer)
        // An upstream that ignores the body must not read it as the next request.
        if head.hasUnusualBody { buffer.writeStaticString("Connection: close\r\n") }
        buffer.writeStaticString("\r\n")
        return buffer
    }

    /// Writes the IP address that the request came from, its scheme, and the host that it was sent to.
    private static func writeForwarded(_ head: RequestHead, _ plan: ProxyPlan, into buffer: inout ByteBuffer) {
        ReplySerializer.writeField("X-Forwarded-For", plan.clientAddress, into: &buffer)
        buffer.writeStaticString(
            plan.scheme == .https ? "X-Forwarded-Proto: https\r\n" : "X-Forwarded-Proto: http\r\n")
        // Only a health check in HTTP/1.0 may lack it, and those are not passed on.
        guard let host = head.first(.host) else { return }
        buffer.writeStaticString("X-Forwarded-Host: ")
        buffer.writeBytes(host)
        buffer.writeStaticString("\r\n")
    }

    /// Returns the response's head as the client gets it.
    static func answer(
        _ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame, framing: BodyFraming, closes: Bool
    ) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(head.block.bytes.readableBytes + addedBytes)
        StatusLine.write(head.status, into: &buffer)
        ForwardedFields.writeResponse(
            head, keepsCrossOrigin: !plan.ownsCrossOrigin, keepsClearing: !plan.ownsCookies,
            sharesCookies: plan.sharesCookies, into: &buffer)
        buffer.writeBytes(frame.lines)
        guard !head.switches else {
            ReplySerializer.writeRequestID(frame.id, into: &buffer)
            plan.long?.handshake?.writeAnswer(head.block, into: &buffer)
            buffer.writeStaticString("\r\n")
            return buffer
        }
        SharedCaching.write(plan.cookieUse, head.block, into: &buffer)
        ReplySerializer.writeRequestID(frame.id, into: &buffer)
        if framing == .none { writeStatedLength(head, into: &buffer) } else { writeFraming(framing, into: &buffer) }
        ReplySerializer.writeConnection(keepsAlive: !closes, isHTTP11: frame.isHTTP11, into: &buffer)
        buffer.writeStaticString("\r\n")
        return buffer
    }

    /// Returns a 1xx head as the client gets it.
    static func announcement(_ head: ResponseHead) -> ByteBuffer {
        var buffer = ByteBuffer()
        StatusLine.write(head.status, into: &buffer)
        ForwardedFields.writeResponse(head, keepsCrossOrigin: true, keepsClearing: false, into: &buffer)
        buffer.writeStaticString("\r\n")
        return buffer
    }

    private static func writeFraming(_ framing: BodyFraming, into buffer: inout ByteBuffer) {
        switch framing {
        case .length(let count):
            buffer.writeStaticString("Content-Length: ")
            buffer.writeString(String(count))
            buffer.writeStaticString("\r\n")
        case .chunked: buffer.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none, .untilClose: break
        }
    }

    /// Writes the length that a response to HEAD or a 304 states for the absent body; a 204 has none at all.
    private static func writeStatedLength(_ head: ResponseHead, into buffer: inout ByteBuffer) {
        guard head.status != 204 else { return }
        for field in head.block.fields where field.kind == .contentLength {
            buffer.writeStaticString("Content-Length: ")
            buffer.writeBytes(head.block.view(field.value))
            buffer.writeStaticString("\r\n")
        }
    }
}

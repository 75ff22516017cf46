import NIOCore

/// The selection of the fields of a message that are passed on.
///
/// Two kinds are removed: the fields that belong to one connection or that `Connection` lists (security guide R-85), and those that
/// only the edge states. The edge adds its own fields afterwards, so that no field of a client removes them.
enum ForwardedFields {
    /// Appends the client's fields that may reach the upstream.
    ///
    /// - Parameters:
    ///   - keepsTraceState: whether the client's trace context is valid, so that its vendors' state belongs to it.
    ///   - sharesCookies: whether the upstream gets the edge's own cookies.
    ///   - own: further names that only the edge states.
    static func writeRequest(
        _ head: RequestHead, keepsAuthorization: Bool, keepsTraceState: Bool, sharesCookies: Bool = false,
        except own: OwnFieldNames, into buffer: inout ByteBuffer
    ) {
        write(head.block, into: &buffer) { field in
            switch field.kind {
            case .ordinary: !own.contain(field, of: head.block)
            case .crossOrigin, .setCookie, .clearSiteData: true
            case .cookie: sharesCookies || !OwnCookies.areIn(field.value, of: head.block)
            case .authorization: keepsAuthorization
            case .tracestate: keepsTraceState
            default: false
            }
        }
        guard !sharesCookies else { return }
        // A field with our cookies is written again without them.
        for field in head.block.fields where field.kind == .cookie {
            guard OwnCookies.areIn(field.value, of: head.block),
                !ConnectionOptions(of: head.block).nominates(field, of: head.block)
            else { continue }
            OwnCookies.write(field.value, of: head.block, into: &buffer)
        }
    }

    /// Appends the upstream's fields that may reach the client.
    ///
    /// - Parameters:
    ///   - keepsCrossOrigin: whether the upstream decides which pages of other origins may read the response.
    ///   - keepsClearing: whether the upstream may clear the cookies of its host.
    ///   - sharesCookies: whether the upstream may set the edge's own cookies.
    static func writeResponse(
        _ head: ResponseHead, keepsCrossOrigin: Bool, keepsClearing: Bool, sharesCookies: Bool = false,
        into buffer: inout ByteBuffer
    ) {
        write(head.block, into: &buffer) { field in
            switch field.kind {
            case .ordinary, .cookie, .traceparent, .tracestate: true
            case .crossOrigin: keepsCrossOrigin
            case .clearSiteData: keepsClearing
            case .setCookie: sharesCookies || !OwnCookies.isSet(by: field.value, of: head.block)
            default: false
            }
        }
    }

    /// Appends the fields that `isKept` accepts. Adjacent fields in plain spelling are copied in one piece.
    private static func write(
        _ block: HeaderBlock, into buffer: inout ByteBuffer, _ isKept: (HeaderBlock.Field) -> Bool
    ) {
        let options = ConnectionOptions(of: block)
        var run: Range<Int>?
        for field in block.fields {
            guard isKept(field), !options.nominates(field, of: block) else { continue }
            if field.isPlain {
                let line = field.name.lowerBound..<field.value.upperBound + 2
                if let known = run, known.upperBound == line.lowerBound {
                    run = known.lowerBound..<line.upperBound
                } else {
                    copy(run, of: block, into: &buffer)
                    run = line
                }
            } else {
                copy(run, of: block, into: &buffer)
                run = nil
                copy(field.name, of: block, into: &buffer)
                buffer.writeStaticString(": ")
                copy(field.value, of: block, into: &buffer)
                buffer.writeStaticString("\r\n")
            }
        }
        copy(run, of: block, into: &buffer)
    }

    private static func copy(_ range: Range<Int>?, of block: HeaderBlock, into buffer: inout ByteBuffer) {
        guard let range, !range.isEmpty, let slice = block.bytes.getSlice(at: range.lowerBound, length: range.count)
        else { return }
        buffer.writeImmutableBuffer(slice)
    }
}

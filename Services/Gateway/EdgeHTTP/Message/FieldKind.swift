/// The meaning of a field's name to the edge, found once while the head is read.
///
/// Names are compared as an upstream could read them: case makes no difference, and all characters but letters and digits count as
/// the same one (security guide R-86). A name that only resembles one that frames messages is a `.framingLookalike`, which is
/// refused.
package enum FieldKind: UInt8, Sendable {
    /// A field that is passed on as it is.
    case ordinary
    case host, contentLength, transferEncoding, connection, expect, authorization, traceparent, tracestate
    /// `Access-Control-…`, which states which pages of other origins may read a response.
    case crossOrigin
    /// `Cookie`, from which the edge removes its own cookies.
    case cookie
    /// `Set-Cookie`, by which only the edge sets its own cookies.
    case setCookie
    /// `Clear-Site-Data`, which could remove the edge's own cookies.
    case clearSiteData
    /// `Sec-WebSocket-…`, which only the edge states: a subprotocol may contain a token, and the others mean nothing alone.
    case webSocket
    /// `X-Request-Id`, which only the edge states, in requests and in responses.
    case requestID
    /// A field for one connection (RFC 9110 section 7.6.1), or a lookalike of such a name.
    case hopByHop
    /// A statement about a user or the origin of a request, which only the edge makes.
    case reserved
    /// A name that resembles `Host`, `Content-Length` or `Transfer-Encoding`, and is spelled differently.
    case framingLookalike

    /// Finds the kind of the field whose name is `bytes[name]`; the name is not empty.
    init(nameIn bytes: Span<UInt8>, _ name: Range<Int>) {
        let kind = Self.named(bytes, name)
        self = kind.isPlainlySpelled || !Self.isLookalike(bytes, name) ? kind : kind.ofLookalike
    }

    /// Whether the spelling makes no difference.
    private var isPlainlySpelled: Bool {
        switch self {
        case .ordinary, .reserved, .hopByHop, .requestID, .crossOrigin, .cookie, .setCookie, .clearSiteData, .webSocket:
            true
        default: false
        }
    }

    private var ofLookalike: FieldKind {
        switch self {
        case .host, .contentLength, .transferEncoding: .framingLookalike
        case .authorization, .traceparent, .tracestate: .reserved
        default: .hopByHop
        }
    }

    /// Whether the name has any character but letters, digits and `-`, which are all that the known names have.
    private static func isLookalike(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        for position in name where bytes[position] != hyphen && ByteClass.folded(bytes[position]) == hyphen {
            return true
        }
        return false
    }
}

/// The look-up of names, which are compared folded: in lower case, with `-` for all but letters and digits.
extension FieldKind {
    /// Finds the kind of a name, whatever its spelling. It branches on the first letter, since most names are ordinary.
    private static func named(_ bytes: Span<UInt8>, _ name: Range<Int>) -> FieldKind {
        switch ByteClass.folded(bytes[name.lowerBound]) {
        case UInt8(ascii: "a"): onA(bytes, name)
        case UInt8(ascii: "c"): onC(bytes, name)
        case UInt8(ascii: "e"): equals(bytes, name, "expect") ? .expect : .ordinary
        case UInt8(ascii: "f"):
            begins(bytes, name, "forwarded") || equals(bytes, name, "fastly-client-ip") ? .reserved : .ordinary
        case UInt8(ascii: "h"):
            equals(bytes, name, "host") ? .host : equals(bytes, name, "http2-settings") ? .hopByHop : .ordinary
        case UInt8(ascii: "k"): equals(bytes, name, "keep-alive") ? .hopByHop : .ordinary
        case UInt8(ascii: "l"): begins(bytes, name, "latchkey-") ? .reserved : .ordinary
        case UInt8(ascii: "p"): begins(bytes, name, "proxy-") ? .hopByHop : .ordinary
        case UInt8(ascii: "s"):
            equals(bytes, name, "set-cookie")
                ? .setCookie : begins(bytes, name, "sec-websocket-") ? .webSocket : .ordinary
        case UInt8(ascii: "t"): onT(bytes, name)
        // An offer of another protocol is ignored (RFC 9110 section 7.8).
        case UInt8(ascii: "u"): equals(bytes, name, "upgrade") ? .hopByHop : .ordinary
        case UInt8(ascii: "x"): onX(bytes, name)
        default: .ordinary
        }
    }

    private static func onA(_ bytes: Span<UInt8>, _ name: Range<Int>) -> FieldKind {
        if equals(bytes, name, "authorization") { return .authorization }
        return begins(bytes, name, "access-control-") ? .crossOrigin : .ordinary
    }

    private static func onC(_ bytes: Span<UInt8>, _ name: Range<Int>) -> FieldKind {
        if equals(bytes, name, "content-length") { return .contentLength }
        if equals(bytes, name, "connection") { return .connection }
        if equals(bytes, name, "cookie") { return .cookie }
        if equals(bytes, name, "clear-site-data") { return .clearSiteData }
        return equals(bytes, name, "cf-connecting-ip") || equals(bytes, name, "client-ip") ? .reserved : .ordinary
    }

    private static func onT(_ bytes: Span<UInt8>, _ name: Range<Int>) -> FieldKind {
        if equals(bytes, name, "transfer-encoding") { return .transferEncoding }
        if equals(bytes, name, "te") || equals(bytes, name, "trailer") { return .hopByHop }
        if equals(bytes, name, "traceparent") { return .traceparent }
        if equals(bytes, name, "tracestate") { return .tracestate }
        return equals(bytes, name, "true-client-ip") ? .reserved : .ordinary
    }

    private static func onX(_ bytes: Span<UInt8>, _ name: Range<Int>) -> FieldKind {
        if equals(bytes, name, "x-request-id") { return .requestID }
        for family in reservedFamilies where begins(bytes, name, family) { return .reserved }
        for candidate in reservedOnX where equals(bytes, name, candidate) { return .reserved }
        return .ordinary
    }

    private static let reservedFamilies: [StaticString] = [
        "x-forwarded", "x-latchkey", "x-user-", "x-acting-", "x-session-", "x-original-", "x-http-method",
    ]
    private static let reservedOnX: [StaticString] = [
        "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-rewrite-url", "x-method-override",
    ]

    private static func equals(_ bytes: Span<UInt8>, _ name: Range<Int>, _ candidate: StaticString) -> Bool {
        name.count == candidate.utf8CodeUnitCount && begins(bytes, name, candidate)
    }

    private static func begins(_ bytes: Span<UInt8>, _ name: Range<Int>, _ prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard name.count >= count else { return false }
        let start = unsafe prefix.utf8Start
        for offset in 0..<count {
            guard unsafe ByteClass.folded(bytes[name.lowerBound + offset]) == start[offset] else { return false }
        }
        return true
    }
}

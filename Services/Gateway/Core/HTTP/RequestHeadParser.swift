/// Reads a request's head strictly: whatever has two readings is refused (security guide R-80…R-89).
enum RequestHeadParser {
    /// Methods that are passed on or answered.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map { Array($0.utf8) }
    private static let forbiddenMethods = ["TRACE", "CONNECT"].map { Array($0.utf8) }

    /// - Parameter bytes: request line and field lines, each with CR LF, without the empty line.
    static func parse(_ bytes: [UInt8], limits: HeaderBlock.Limits) throws(HTTPViolation) -> RequestHead {
        guard let lineEnd = bytes.firstIndex(of: 0x0D), lineEnd + 1 < bytes.count, bytes[lineEnd + 1] == 0x0A else {
            throw .malformedRequestLine
        }
        let line = try RequestLine(bytes, end: lineEnd)
        let block = try HeaderBlock(bytes, from: lineEnd + 2, fieldsMax: limits.fieldsMax)
        try judgeMethod(bytes[line.method])
        let pathEnd = bytes[line.target].firstIndex(of: UInt8(ascii: "?")) ?? line.target.upperBound
        try CanonicalPath.judge(bytes[line.target.lowerBound..<pathEnd])
        guard bytes[pathEnd..<line.target.upperBound].allSatisfy(ByteClass.isQuery) else { throw .badTarget }
        try judgeHost(block)
        let framing = try BodyFraming.stated(in: block) ?? .none
        if line.isHTTP10, framing == .chunked { throw .badTransferEncoding }
        guard block.values("upgrade").isEmpty else { throw .upgradeRefused }
        return RequestHead(
            block: block, methodRange: line.method, targetRange: line.target,
            pathRange: line.target.lowerBound..<pathEnd, framing: framing,
            keepsAlive: !line.isHTTP10 && !block.listMembers("connection").contains(Array("close".utf8)),
            isHTTP10: line.isHTTP10, expectsContinue: try expectsContinue(block))
    }

    private static func judgeMethod(_ method: ArraySlice<UInt8>) throws(HTTPViolation) {
        if methods.contains(where: { $0.elementsEqual(method) }) { return }
        throw forbiddenMethods.contains { $0.elementsEqual(method) } ? .forbiddenMethod : .unknownMethod
    }

    /// Exactly one, of the characters of a name or address with a port (RFC 9112 section 3.2).
    private static func judgeHost(_ block: HeaderBlock) throws(HTTPViolation) {
        let hosts = block.values("host")
        guard hosts.count == 1, let host = hosts.first, (1...255).contains(host.count) else { throw .badHost }
        let isAllowed = host.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "-._~:[]".utf8.contains(byte)
            }
        }
        guard isAllowed else { throw .badHost }
    }

    private static func expectsContinue(_ block: HeaderBlock) throws(HTTPViolation) -> Bool {
        let expectations = block.listMembers("expect")
        guard expectations.allSatisfy({ $0 == Array("100-continue".utf8) }) else { throw .badExpectation }
        return !expectations.isEmpty
    }
}

/// `METHOD SP target SP HTTP/1.1`, one space each.
private struct RequestLine {
    let method: Range<Int>
    let target: Range<Int>
    let isHTTP10: Bool

    init(_ bytes: [UInt8], end: Int) throws(HTTPViolation) {
        guard let first = bytes[..<end].firstIndex(of: UInt8(ascii: " ")), first > 0,
            let last = bytes[..<end].lastIndex(of: UInt8(ascii: " ")), last > first + 1,
            bytes[..<first].allSatisfy(ByteClass.isToken),
            !bytes[first + 1..<last].contains(UInt8(ascii: " "))
        else { throw .malformedRequestLine }
        method = 0..<first
        target = first + 1..<last
        switch bytes[last + 1..<end] {
        case let version where version.elementsEqual("HTTP/1.1".utf8): isHTTP10 = false
        case let version where version.elementsEqual("HTTP/1.0".utf8): isHTTP10 = true
        case let version where version.starts(with: "HTTP/".utf8): throw .unsupportedVersion
        default: throw .malformedRequestLine
        }
    }
}

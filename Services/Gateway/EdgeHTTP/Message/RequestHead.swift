package import NIOCore
import Policies

/// The head of a request that passed every rule. Its names, path and framing have one reading.
package struct RequestHead: Sendable {
    package let block: HeaderBlock
    package let method: HTTPMethod
    let framing: BodyFraming
    /// Whether the client wants to send another request on this connection.
    let keepsAlive: Bool
    /// Whether the client uses HTTP/1.1. A client of HTTP/1.0 reads no chunks and no 1xx.
    let isHTTP11: Bool
    /// Whether the request came as a stream of HTTP/2.
    var isHTTP2 = false
    /// Whether the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool
    /// The peer of the connection.
    package var peer = ClientPeer.none
    private let targetRange: Range<Int>
    @usableFromInline let pathRange: Range<Int>

    /// - Parameters:
    ///   - startLineEnd: the position of the start line's CR.
    ///   - hostlessPath: the path at which a request of HTTP/1.0 needs no `Host`; empty if there is none.
    init(_ block: HeaderBlock, startLineEnd: Int, hostlessPath: [UInt8]) throws(HTTPViolation) {
        let line = try RequestLine(block.bytes.readableBytesUInt8Span, end: startLineEnd)
        let stated = try BodyFraming.stated(in: block, isHTTP11: line.isHTTP11)
        let isHostless =
            !line.isHTTP11 && !hostlessPath.isEmpty && block.view(line.target.path).elementsEqual(hostlessPath)
        try Self.judgeHost(block, line.target, mayLack: isHostless)
        // In HTTP/1.0 the body could end with the connection, which a reader of HTTP/1.1 does not expect (RFC 1945 section 8.3).
        guard line.isHTTP11 || stated != nil || !line.method.bringsBody else { throw .badContentLength }
        // A client of HTTP/1.0 cannot have intended it (RFC 9110 section 10.1.1).
        expectsContinue = try Self.expectsContinue(block) && line.isHTTP11
        let options = ConnectionOptions(of: block)
        guard !options.areTooMany else { throw .tooManyOptions }
        framing = stated ?? .none
        // In HTTP/1.0 a body without a length could be meant to end with the connection.
        let keepsOld = options.keepsAlive && (stated != nil || line.method.isSafe)
        keepsAlive = !options.closes && (line.isHTTP11 || keepsOld)
        isHTTP11 = line.isHTTP11
        method = line.method
        pathRange = line.target.path
        if let range = line.target.pathAndQuery {
            targetRange = range
            self.block = block
        } else {
            (self.block, targetRange) = block.appending(line.target.path, line.target.query)
        }
    }

    /// The version of HTTP in which the request came.
    package var version: String { isHTTP2 ? "2" : isHTTP11 ? "1.1" : "1.0" }
    /// The path and query, in origin form.
    package var target: ByteBufferView { block.view(targetRange) }
    /// The path as it is authorised and passed on.
    package var pathText: String { block.text(pathRange) }
    /// Calls `body` with the bytes of the path.
    @inlinable package func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(block.bytes.readableBytesUInt8Span.extracting(pathRange))
    }
    /// Whether the request may be sent again: it has no body and a safe method.
    var isSafeToRepeat: Bool { framing.isEmpty && method.isSafe }
    /// Whether it is a GET, HEAD or OPTIONS with a body, which servers may take for the next request.
    var hasUnusualBody: Bool { !framing.isEmpty && method.isSafe }

    /// Whether the head shows that our endpoints refuse the body: its length is above `bytesMax`, or the method is safe.
    package func hasRefusedBody(bytesMax: Int) -> Bool {
        if case .length(let count) = framing, count > bytesMax { return true }
        return hasUnusualBody
    }

    /// Returns the values of the fields called `name`, given in lower case.
    package func all(_ name: StaticString) -> [[UInt8]] { block.values(name).map { Array(block.view($0)) } }

    /// Returns the bytes of the first field of a kind.
    package func first(_ kind: FieldKind) -> ByteBufferView? {
        block.fields.first { $0.kind == kind }.map { block.view($0.value) }
    }

    /// Whether there is a field of a kind.
    package func has(_ kind: FieldKind) -> Bool { block.has(kind) }

    /// Whether one of the edge's own cookies may be in the request.
    package var hasOwnCookies: Bool {
        block.fields.contains { $0.kind == .cookie && OwnCookies.areIn($0.value, of: block) }
    }

    /// Returns the number of fields of a kind.
    package func count(_ kind: FieldKind) -> Int { block.fields.count { $0.kind == kind } }

    /// Returns the value of the only field called `name`, or `nil` if there is none, or more than one.
    package func text(_ name: StaticString) -> String? {
        let values = block.values(name)
        return values.count == 1 ? values.first.map(block.text) : nil
    }

    /// Requires exactly one `Host` that fits its grammar, and is the host of an absolute target (RFC 9112 section 3.2).
    private static func judgeHost(
        _ block: HeaderBlock, _ target: RequestTarget, mayLack: Bool
    ) throws(HTTPViolation) {
        if let authority = target.authority, !HostGrammar.accepts(authority.range, of: block) { throw .badTarget }
        guard let host = try block.only(.host, else: .badHost) else {
            guard mayLack else { throw .badHost }
            return
        }
        guard HostGrammar.accepts(host.value, of: block) else { throw .badHost }
        guard let authority = target.authority else { return }
        guard HostGrammar.areSame(host.value, authority.range, usualPort: authority.usualPort, of: block) else {
            throw .badHost
        }
    }

    private static func expectsContinue(_ block: HeaderBlock) throws(HTTPViolation) -> Bool {
        guard let expectation = try block.only(.expect, else: .badExpectation) else { return false }
        guard block.equals(expectation.value, "100-continue") else { throw .badExpectation }
        return true
    }
}

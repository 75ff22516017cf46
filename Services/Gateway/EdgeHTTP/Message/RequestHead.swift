package import NIOCore
import Policies

/// The head of a request that passed every rule; names, path and framing have one reading.
package struct RequestHead: Sendable {
    package let block: HeaderBlock
    package let method: HTTPMethod
    let framing: BodyFraming
    /// Whether the client wants another request on this connection.
    let keepsAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    let expectsContinue: Bool
    /// Who is connected to us.
    package var peer = ClientPeer.none
    private let targetRange: Range<Int>
    @usableFromInline let pathRange: Range<Int>

    /// - Parameter startLineEnd: where the start line's CR stands.
    init(_ block: HeaderBlock, startLineEnd: Int) throws(HTTPViolation) {
        let line = try RequestLine(block.bytes.readableBytesUInt8Span, end: startLineEnd)
        guard !block.has(.framingLookalike) else { throw .framingLookalike }
        try Self.judgeHost(block)
        framing = try BodyFraming.stated(in: block) ?? .none
        guard framing.isEmpty || (line.method != .get && line.method != .head) else { throw .unexpectedBody }
        guard !block.has(.upgrade) else { throw .upgradeRefused }
        expectsContinue = try Self.expectsContinue(block)
        let options = ConnectionOptions(of: block)
        guard !options.areTooMany else { throw .tooManyOptions }
        keepsAlive = !options.closes
        method = line.method
        targetRange = line.target
        pathRange = line.path
        self.block = block
    }

    /// Path with query, in origin form.
    package var target: ByteBufferView { block.view(targetRange) }
    /// The path as it was authorised and as it is sent on.
    package var pathText: String { block.text(pathRange) }
    /// Calls `body` with the bytes of the path.
    @inlinable package func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(block.bytes.readableBytesUInt8Span.extracting(pathRange))
    }
    /// Requests without a body that ask for no change may be sent again.
    var isSafeToRepeat: Bool { framing.isEmpty && method.isSafe }

    /// The values of the fields called `name`, given in lower case.
    package func all(_ name: StaticString) -> [[UInt8]] { block.values(name).map { Array(block.view($0)) } }

    /// The bytes of the first field of a kind.
    package func first(_ kind: FieldKind) -> ByteBufferView? {
        block.fields.first { $0.kind == kind }.map { block.view($0.value) }
    }

    /// How many fields of a kind there are.
    package func count(_ kind: FieldKind) -> Int { block.fields.count { $0.kind == kind } }

    /// The value of the only field called `name`; nil when there is none, or more than one.
    package func text(_ name: StaticString) -> String? {
        let values = block.values(name)
        return values.count == 1 ? values.first.map(block.text) : nil
    }

    /// Exactly one, and that a host by its grammar (RFC 9112 section 3.2).
    private static func judgeHost(_ block: HeaderBlock) throws(HTTPViolation) {
        guard let host = try block.only(.host, else: .badHost), HostGrammar.accepts(host.value, of: block) else {
            throw .badHost
        }
    }

    private static func expectsContinue(_ block: HeaderBlock) throws(HTTPViolation) -> Bool {
        guard let expectation = try block.only(.expect, else: .badExpectation) else { return false }
        guard block.equals(expectation.value, "100-continue") else { throw .badExpectation }
        return true
    }
}

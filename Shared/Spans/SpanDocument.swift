import StrictJSON
import Tracing

/// The body of an export in OTLP's JSON form: ids in hexadecimal, 64-bit numbers as strings, enumerations as numbers.
package struct SpanDocument: Encodable {
    private struct Resource: Encodable { let attributes: [Attribute] }

    private struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    private struct ScopeSpans: Encodable {
        let scope: [String: String]
        let spans: [Span]
    }

    fileprivate struct Attribute: Encodable {
        let key: String
        /// The value by its kind.
        let value: [String: String]
    }

    fileprivate struct Span: Encodable {
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let name: String
        let kind: Int
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Attribute]
        let status: [String: Int]
        let flags: Int
    }

    private let resourceSpans: [ResourceSpans]

    /// - Parameter resource: the attributes of the process, such as `service.name`.
    package init(_ spans: [FinishedSpan], resource: [String: String]) {
        let attributes = resource.sorted { $0.key < $1.key }.map { Attribute(key: $0, value: ["stringValue": $1]) }
        resourceSpans = [
            ResourceSpans(
                resource: Resource(attributes: attributes),
                scopeSpans: [ScopeSpans(scope: ["name": "latchkey"], spans: spans.map(Span.init))])
        ]
    }

    /// The document's bytes.
    package func json() throws -> [UInt8] { try StrictJSON.encode(self) }
}

extension SpanDocument.Span {
    private static let nameLengthMax = 128

    init(_ span: FinishedSpan) {
        traceId = span.identity.traceID
        spanId = SpanIdentity.hex(span.identity.spanID)
        parentSpanId = span.parentID == 0 ? nil : SpanIdentity.hex(span.parentID)
        name = String(span.name.prefix(Self.nameLengthMax))
        kind = Self.number(of: span.kind)
        startTimeUnixNano = String(span.start)
        // The wall clock may have been set back meanwhile.
        endTimeUnixNano = String(max(span.start, span.end))
        attributes = ListedAttribute.allCases.compactMap { name in
            Self.value(span.attributes.get(name.rawValue)).map { .init(key: name.rawValue, value: $0) }
        }
        status = span.hasFailed || Self.isServersFault(span) ? ["code": 2] : [:]
        flags = 1
    }

    private static func isServersFault(_ span: FinishedSpan) -> Bool {
        if case .int64(let status)? = span.attributes.get(ListedAttribute.status.rawValue) {
            status >= 500
        } else {
            false
        }
    }

    private static func number(of kind: SpanKind) -> Int {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    private static func value(_ attribute: SpanAttribute?) -> [String: String]? {
        switch attribute {
        case .string(let text)?: ["stringValue": text]
        case .int64(let number)?: ["intValue": String(number)]
        default: nil
        }
    }
}

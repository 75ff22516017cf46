import FoundationEssentials
import Synchronization

@testable import BenchCore

/// A collector that keeps the spans of OTLP/HTTP in JSON, and the requests to any other path.
final class SpanReceiver: Sendable {
    /// A span, with the name of its process.
    struct Span: Sendable {
        let process: String
        let content: Content

        struct Content: Sendable, Decodable {
            let traceId: String
            let spanId: String
            let parentSpanId: String?
            let name: String
        }
    }

    private let kept = Mutex<[ServedRequest]>([])

    /// Keeps a request, and answers as a collector or a back end does.
    func answer(_ request: ServedRequest) -> ServedAnswer {
        kept.withLock { $0.append(request) }
        return ServedAnswer(status: 200, body: Array("{}".utf8))
    }

    /// The requests to a path.
    func requests(to path: String) -> [ServedRequest] { kept.withLock { $0.filter { $0.path == path } } }

    /// The bodies of all exports.
    var bodies: [[UInt8]] { requests(to: "/v1/traces").map(\.body) }

    /// All spans by their traces.
    func traces() throws -> [String: [Span]] {
        let spans = try bodies.flatMap { body in
            try JSONDecoder().decode(Document.self, from: Data(body)).resourceSpans.flatMap { resource in
                let names = resource.resource.attributes.filter { $0.key == "service.name" }.map(\.value.stringValue)
                return resource.scopeSpans.flatMap(\.spans).map { Span(process: names.first ?? "", content: $0) }
            }
        }
        return Dictionary(grouping: spans, by: \.content.traceId)
    }

    /// The spans of the only trace whose first span has a name; empty if there is none yet.
    func trace(of name: String) throws -> [Span] {
        try traces().values.first { $0.contains { $0.content.name == name && $0.content.parentSpanId == nil } } ?? []
    }

    private struct Document: Decodable {
        let resourceSpans: [ResourceSpans]

        struct ResourceSpans: Decodable {
            let resource: Resource
            let scopeSpans: [ScopeSpans]
        }

        struct Resource: Decodable { let attributes: [Attribute] }

        struct Attribute: Decodable {
            let key: String
            let value: Value
        }

        struct Value: Decodable { let stringValue: String }

        struct ScopeSpans: Decodable { let spans: [Span.Content] }
    }
}

package import Tracing

/// The attributes that leave the process, by the names of OpenTelemetry's conventions.
///
/// Libraries also set paths, queries, addresses and sizes. A name is added here only if its values come from Latchkey's code or
/// from the operator's settings, never from a client.
package enum ListedAttribute: String, CaseIterable {
    case method = "http.request.method"
    case status = "http.response.status_code"
    case route = "http.route"
    case protocolVersion = "network.protocol.version"
    /// The name of the called service or upstream.
    case peer = "peer.service"
    /// The host name of a called provider.
    case server = "server.address"
    case database = "db.system.name"
    case operation = "db.operation.name"
}

extension SpanAttributes {
    /// The attributes that are listed and have a short text or a number.
    var listed: SpanAttributes {
        var kept: SpanAttributes = [:]
        for name in ListedAttribute.allCases {
            switch get(name.rawValue) {
            case .string(let text)? where Self.isPlain(text) && (name != .server || Self.isHostName(text)):
                kept[name.rawValue] = text
            case .int32(let number)?: kept[name.rawValue] = Int64(number)
            case .int64(let number)?: kept[name.rawValue] = number
            default: break
            }
        }
        return kept
    }

    /// Sets an attribute that is exported.
    package subscript(_ name: ListedAttribute) -> (any SpanAttributeConvertible)? {
        get { get(name.rawValue) }
        set { self[name.rawValue] = newValue }
    }

    private static let textBytesMax = 128

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= textBytesMax && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Whether a text is a name, and not an IP address.
    private static func isHostName(_ text: String) -> Bool {
        !text.utf8.contains(UInt8(ascii: ":")) && text.contains(where: \.isLetter)
    }
}

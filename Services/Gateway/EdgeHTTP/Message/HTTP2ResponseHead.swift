import NIOCore
import NIOHPACK

/// The head of a response as fields of HTTP/2.
enum HTTP2ResponseHead {
    /// Returns the fields of a head that was written for HTTP/1.1, without those for one connection.
    static func fields(_ status: Int, _ head: ByteBuffer) -> HPACKHeaders {
        var fields = HPACKHeaders([(":status", String(status))])
        for field in lines(of: head) {
            let indexing: HPACKIndexing
            switch field.kind {
            case .connection, .transferEncoding, .hopByHop: continue
            // The size of later heads must not show whether they repeat its value.
            case .setCookie: indexing = .neverIndexed
            // They hardly repeat, and each entry makes the search longer.
            case .requestID, .contentLength: indexing = .nonIndexable
            default: indexing = .indexable
            }
            let bytes = head.readableBytesView
            fields.add(
                name: String(decoding: bytes[field.name].map(ByteClass.lowercased), as: UTF8.self),
                value: text(bytes[field.value]), indexing: indexing)
        }
        return fields
    }

    private static func lines(of head: ByteBuffer) -> [HeaderBlock.Field] {
        var reader = HeadReader(limits: .init(bytesMax: .max, fieldsMax: .max))
        do throws(HTTPViolation) { _ = try reader.advance(head.readableBytesUInt8Span) } catch { return [] }
        return reader.takeFields()
    }

    /// Returns a value as text. One that is not UTF-8 is read as Latin-1, as clients read it, because fields of the encoder are text.
    private static func text(_ value: ByteBufferView) -> String {
        if let text = String(validating: value, as: UTF8.self) { return text }
        return value.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
    }
}

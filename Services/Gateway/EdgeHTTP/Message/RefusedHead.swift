import NIOCore

/// A request whose head was not accepted. The refusal and the log still need some facts from its bytes.
///
/// Nothing here decides how a request is served. The bytes may break every rule, so each value is either one of a known set or is
/// compared with one before it is used.
package struct RefusedHead: Sendable {
    private let bytes: ByteBuffer
    package let peer: ClientPeer

    /// - Parameter bytes: the part of the head that has arrived, and maybe more.
    init(_ bytes: ByteBuffer, from peer: ClientPeer) {
        self.bytes = bytes
        self.peer = peer
    }

    /// The method, if it is a known one.
    package var method: HTTPMethod? {
        let word = bytes.readableBytesView.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
        return HTTPMethod.allCases.first { $0.rawValue.utf8.elementsEqual(word) }
    }

    /// The value of the only `Origin` among the lines that have arrived.
    package var origin: String? {
        var found: String?
        var rest = bytes.readableBytesView.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            // The head ends with an empty line; later bytes do not belong to the request.
            guard !line.isEmpty, line.first != UInt8(ascii: "\r") else { break }
            if let value = Self.origin(in: line) {
                guard found == nil else { return nil }
                found = value
            }
            rest = rest[end...].dropFirst()
        }
        return found
    }

    private static func origin(in line: ByteBufferView) -> String? {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < line.count, name.map(ByteClass.lowercased).elementsEqual("origin".utf8) else { return nil }
        let value = line.dropFirst(name.count + 1).drop(while: ByteClass.isBlank)
        return String(decoding: value, as: UTF8.self).trimmingLineEnd()
    }
}

extension String {
    /// Returns the text without CR, spaces and tabs at its end.
    fileprivate func trimmingLineEnd() -> String {
        String(decoding: utf8.reversed().drop { $0 == 0x0D || ByteClass.isBlank($0) }.reversed(), as: UTF8.self)
    }
}

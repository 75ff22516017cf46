import NIOCore

/// What a head's `Connection` fields say (RFC 9110 section 7.6.1).
struct ConnectionOptions: Sendable {
    /// Members of the fields together: each name is compared with each field of the head.
    static let membersMax = 32

    /// The sender ends the connection after this message.
    private(set) var closes = false
    /// The sender of an HTTP/1.0 message keeps the connection.
    private(set) var keepsAlive = false
    /// Names of fields that are meant for this connection alone, as places in the head.
    private(set) var nominated: [Range<Int>] = []
    private var memberCount = 0

    /// Whether there are more members than are read; such a head is refused.
    var areTooMany: Bool { memberCount > Self.membersMax }

    init(of block: HeaderBlock) {
        for field in block.fields where field.kind == .connection {
            block.forEachMember(of: field.value) { member in
                memberCount += 1
                guard !areTooMany else { return }
                if block.equals(member, "close") {
                    closes = true
                } else if block.equals(member, "keep-alive") {
                    keepsAlive = true
                } else {
                    nominated.append(member)
                }
            }
        }
    }

    /// Whether `field` is one of those that are named, in any spelling.
    func nominates(_ field: HeaderBlock.Field, of block: HeaderBlock) -> Bool {
        guard !nominated.isEmpty else { return false }
        let bytes = block.bytes.readableBytesUInt8Span
        return nominated.contains { name in
            guard name.count == field.name.count else { return false }
            for offset in 0..<name.count {
                let left = ByteClass.folded(bytes[name.lowerBound + offset])
                guard left == ByteClass.folded(bytes[field.name.lowerBound + offset]) else { return false }
            }
            return true
        }
    }
}

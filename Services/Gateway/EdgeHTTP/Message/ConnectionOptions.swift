import NIOCore

/// The content of a head's `Connection` fields (RFC 9110 section 7.6.1).
struct ConnectionOptions: Sendable {
    /// The greatest number of members of the fields together. Each name is compared with each field of the head.
    static let membersMax = 32

    /// Whether the sender closes the connection after this message.
    private(set) var closes = false
    /// Whether the sender of an HTTP/1.0 message keeps the connection.
    private(set) var keepsAlive = false
    /// The names of fields that are for this connection only, as ranges in the head.
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

    /// Whether the members include the name of `field`, in any spelling.
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

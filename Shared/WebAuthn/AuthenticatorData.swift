import CryptoPrimitives

/// The authenticator's statement about the ceremony and, at a registration, about the new credential (L3 §6.1).
struct AuthenticatorData: Sendable, Equatable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let attestedCredential = Flags(rawValue: 0x40)
        static let extensions = Flags(rawValue: 0x80)
    }

    /// The new credential (L3 §6.5.1).
    struct Credential: Sendable, Equatable {
        /// The authenticator's model.
        let aaguid: [UInt8]
        let id: [UInt8]
        /// The public key as a COSE key.
        let publicKey: [UInt8]
    }

    static let bytesMax = 4096
    private static let aaguidByteCount = 16

    let relyingPartyIDHash: [UInt8]
    let flags: Flags
    let signCount: UInt32
    let credential: Credential?

    /// Reads the parts that the flags state, and nothing after them; the contents of extensions are ignored.
    init(_ bytes: [UInt8]) throws(WebAuthnRefusal) {
        var rest = bytes[...]
        guard bytes.count <= Self.bytesMax, let hash = rest.takeFirst(SHA256.byteCount), let flags = rest.popFirst(),
            let counter = rest.takeFirst(4)
        else { throw .authenticatorData }
        relyingPartyIDHash = hash
        self.flags = Flags(rawValue: flags)
        signCount = UInt32(truncatingIfNeeded: BigEndian.number(counter[...]))
        credential = self.flags.contains(.attestedCredential) ? try Self.credential(&rest) : nil
        if self.flags.contains(.extensions) {
            var reader = CBORReader(rest: rest)
            guard reader.item()?.mapValue != nil else { throw .authenticatorData }
            rest = reader.rest
        }
        guard rest.isEmpty else { throw .authenticatorData }
    }

    private static func credential(_ rest: inout ArraySlice<UInt8>) throws(WebAuthnRefusal) -> Credential {
        guard let aaguid = rest.takeFirst(aaguidByteCount), let length = rest.takeFirst(2) else {
            throw .authenticatorData
        }
        guard let id = rest.takeFirst(Int(length[0]) << 8 | Int(length[1])) else { throw .authenticatorData }
        var reader = CBORReader(rest: rest)
        guard reader.item() != nil else { throw .authenticatorData }
        let key = rest.prefix(rest.count - reader.rest.count)
        rest = reader.rest
        return Credential(aaguid: aaguid, id: id, publicKey: Array(key))
    }
}

extension ArraySlice<UInt8> {
    /// Removes the first `count` bytes and returns them; returns `nil` if there are fewer.
    fileprivate mutating func takeFirst(_ count: Int) -> [UInt8]? {
        guard count <= self.count else { return nil }
        defer { removeFirst(count) }
        return Array(prefix(count))
    }
}

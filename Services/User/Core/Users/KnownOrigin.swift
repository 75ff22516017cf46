/// A device or a network from which a user has signed in, or a trace of a sign-in from an unknown one. Only keyed hashes are kept.
package struct KnownOrigin: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case device, network
        /// A sign-in whose device and network were both unknown, or a refresh by another kind of device.
        case anomaly
        /// The last notice about an anomaly; a user has at most one.
        case notice
    }

    package let kind: Kind
    /// The keyed hash, which differs from user to user.
    package let tag: [UInt8]
    /// Unix time in seconds. For a device or a network it is up to a day older than its last sign-in.
    package let seenAt: Int64
    /// The merged user that the tag was made for, whose account brought the row; `nil` for the user's own rows.
    package let taggedFor: UserID?

    package init(_ kind: Kind, tag: [UInt8], seenAt: Int64, taggedFor: UserID? = nil) {
        (self.kind, self.tag, self.seenAt, self.taggedFor) = (kind, tag, seenAt, taggedFor)
    }

    /// The length of a tag in bytes.
    package static let tagByteCount = 16
    /// The most rows of a kind that a user has. The one that was seen longest ago is forgotten first.
    package static let countMax = 50
    /// How many seconds before a reported event its devices and networks may have appeared.
    package static let suspectSeconds: Int64 = 7 * 86_400
    /// How many seconds after a notice no other one is sent.
    package static let noticeSeconds: Int64 = 86_400
    /// How many seconds a device or a network stays known.
    package static let keptSeconds: Int64 = 400 * 86_400

    /// The row of the last notice.
    package static func notice(at time: Int64) -> Self {
        Self(.notice, tag: [UInt8](repeating: 0, count: tagByteCount), seenAt: time)
    }

    func isSame(as other: Self) -> Bool { kind == other.kind && tag == other.tag }
}

import CryptoPrimitives

/// The tag of a phone number or an email address in Redis: 16 bytes that only this service can make.
struct RecipientTag: Sendable, Equatable {
    static let byteCount = 16
    /// The number of buckets for the tags. With a million phone numbers a bucket contains 61; up to 512 stay packed.
    static let bucketCount = 16_384
    /// The bytes of a tag's field in its bucket. With the bucket they are 54 bits. Of a million numbers probably no two are equal,
    /// and two equal ones would merely share their counters.
    private static let fieldByteCount = 5

    /// All 16 bytes; they represent the recipient in the audit.
    let bytes: [UInt8]

    /// The bucket of the tag.
    var bucket: Int { bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } % Self.bucketCount }
    /// The tag's field in its bucket.
    var field: [UInt8] { Array(bytes.dropFirst(2).prefix(Self.fieldByteCount)) }
    /// The tag as a separate key.
    var hex: String { Hex.encode(bytes) }
}

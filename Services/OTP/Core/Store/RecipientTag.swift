import CryptoPrimitives

/// Stands for a number or an e-mail address in Redis: 16 bytes that only this service can make.
struct RecipientTag: Sendable, Equatable {
    static let byteCount = 16
    /// Buckets that the numbers are spread over; with a million numbers a bucket holds 61, up to 512 stay packed.
    static let bucketCount = 16_384
    /// Bytes of a number's field in its bucket; with the bucket they are 54 bits, so that of a million numbers no two
    /// are likely to meet, and two that met would merely share their counters.
    private static let fieldByteCount = 5

    /// All 16 bytes; the number's name in the audit.
    let bytes: [UInt8]

    /// The bucket that the number lies in.
    var bucket: Int { bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } % Self.bucketCount }
    /// The number's name in its bucket.
    var field: [UInt8] { Array(bytes.dropFirst(2).prefix(Self.fieldByteCount)) }
    /// The number's name as a key of its own.
    var hex: String { Hex.encode(bytes) }
}

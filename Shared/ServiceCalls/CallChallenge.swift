import CryptoPrimitives

/// A service's question to a calling process that it does not know yet: a call that contains it was made after the service
/// sent it, so after the service's start.
///
/// The caller repeats it without reading it. No clock of the two hosts is compared.
package struct CallChallenge: Sendable, Equatable {
    private static let runBytes = 8
    private static let byteCount = runBytes + 8

    /// Identifies the process that sent it, from its start to its end.
    let run: [UInt8]
    /// When the service sent it, in milliseconds of the service's `BootClock`.
    let sentAt: Int64

    init(run: [UInt8], sentAt: Int64) {
        self.run = run
        self.sentAt = sentAt
    }

    /// Reads a challenge, or returns `nil` for another text.
    init?(_ text: ArraySlice<UInt8>) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
        run = Array(bytes.prefix(Self.runBytes))
        sentAt = Int64(bitPattern: BigEndian.number(bytes.dropFirst(Self.runBytes)))
    }

    /// Returns the id of a process that has just started.
    static func newRun() -> [UInt8] { SecureRandom.bytes(runBytes) }

    /// 22 characters.
    var text: [UInt8] { Base64URL.encodedBytes(run + BigEndian.bytes(UInt64(bitPattern: sentAt), count: 8)) }
}

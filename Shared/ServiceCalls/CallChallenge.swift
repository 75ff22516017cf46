import CryptoPrimitives

/// A service's question to a calling process that it does not know yet: a call that contains it was made after the service
/// sent it, so after the service's start.
///
/// The caller repeats it without reading it. No clock of the two hosts is compared.
package struct CallChallenge: Sendable, Equatable {
    /// How many challenges, each of another replica, a call may repeat.
    static let repeatedMax = 8
    private static let separator = UInt8(ascii: ",")
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

    /// Reads the challenges that a call repeats, without those that are no challenge.
    static func all(in text: [UInt8]) -> [CallChallenge] {
        text.split(separator: separator, maxSplits: repeatedMax).compactMap(CallChallenge.init)
    }

    /// Returns the text with which a call repeats challenges.
    static func text(of challenges: [CallChallenge]) -> [UInt8] {
        Array(challenges.map(\.text).joined(separator: [separator]))
    }

    /// Returns the id of a process that has just started.
    static func newRun() -> [UInt8] { SecureRandom.bytes(runBytes) }

    /// 22 characters.
    var text: [UInt8] { Base64URL.encodedBytes(run + BigEndian.bytes(UInt64(bitPattern: sentAt), count: 8)) }
}

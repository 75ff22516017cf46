import CryptoPrimitives

/// Proof that one of our processes made a request: the header `Latchkey-Assertion` (security guide section 1).
///
/// Form: `v3;<caller>;<kid>;<time>;<ticks>;<wait>;<nonce>;<challenge>;<code>`. The code is HMAC-SHA256 with the pair's key over
/// caller, service, time, ticks, wait, challenge, nonce, method, path with query, `Authorization`, and SHA-256 of the body.
struct Assertion: Sendable, Equatable {
    static let header = "Latchkey-Assertion"
    static let textBytesMax = 512
    /// The longest wait that a caller may state; nonces are remembered for longer.
    static let waitMillisecondsMax: Int64 = 30_000
    /// Times and ticks are below this, so that arithmetic with them cannot overflow.
    private static let millisecondsMax: Int64 = 1 << 52
    private static let version = "v3"
    private static let separator = UInt8(ascii: ";")
    private static let lineEnd = UInt8(ascii: "\n")

    /// The text of an `AssertedSender`.
    let caller: String
    let keyID: String
    let times: CallTimes
    let nonce: CallNonce
    /// The challenges that it repeats; empty if there are none.
    let challenge: [UInt8]
    let code: [UInt8]

    /// Returns the bytes that the code covers. No part contains a line end, since each is from one line of the request's
    /// head.
    static func message(
        caller: String, service: String, times: CallTimes, nonce: CallNonce, challenge: [UInt8],
        request: AssertedRequest
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(textBytesMax + request.authorization.utf8.count)
        append(version, lineEnd, to: &bytes)
        append(caller, lineEnd, to: &bytes)
        append(service, lineEnd, to: &bytes)
        for number in times.numbers { append(String(number), lineEnd, to: &bytes) }
        append(request.method, lineEnd, to: &bytes)
        append(request.path, lineEnd, to: &bytes)
        append(request.authorization, lineEnd, to: &bytes)
        bytes += challenge
        bytes.append(lineEnd)
        bytes += nonce.bytes
        bytes += SHA256.hash(request.body)
        return bytes
    }

    /// The header's value.
    var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.textBytesMax)
        for part in [Self.version, caller, keyID] + times.numbers.map({ String($0) }) {
            Self.append(part, Self.separator, to: &bytes)
        }
        bytes += Base64URL.encodedBytes(nonce.bytes)
        bytes.append(Self.separator)
        bytes += challenge
        bytes.append(Self.separator)
        bytes += Base64URL.encodedBytes(code)
        return String(decoding: bytes, as: UTF8.self)
    }

    init(caller: String, keyID: String, times: CallTimes, nonce: CallNonce, challenge: [UInt8], code: [UInt8]) {
        self.caller = caller
        self.keyID = keyID
        self.times = times
        self.nonce = nonce
        self.challenge = challenge
        self.code = code
    }

    /// Parses a header's value.
    ///
    /// - Throws: `malformed` unless it has exactly this form, `otherVersion` if it begins like one of another release.
    init(parsing text: String) throws(AssertionRefusal) {
        // Over bytes: splitting a string searches for character boundaries, which costs a hundred times as much.
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.textBytesMax else { throw .malformed }
        let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
        try Self.checkVersion(parts.first ?? [])
        guard parts.count == 9, let time = Self.milliseconds(parts[3], max: Self.millisecondsMax),
            let ticks = Self.milliseconds(parts[4], max: Self.millisecondsMax),
            let wait = Self.milliseconds(parts[5], max: Self.waitMillisecondsMax),
            let nonce = Base64URL.decode(parts[6]).flatMap(CallNonce.init), let code = Base64URL.decode(parts[8])
        else { throw .malformed }
        self.init(
            caller: String(decoding: parts[1], as: UTF8.self), keyID: String(decoding: parts[2], as: UTF8.self),
            times: CallTimes(time: time, ticks: ticks, wait: wait), nonce: nonce, challenge: Array(parts[7]), code: code
        )
    }

    private static func milliseconds(_ part: ArraySlice<UInt8>, max: Int64) -> Int64? {
        Int64(String(decoding: part, as: UTF8.self)).flatMap { 0...max ~= $0 ? $0 : nil }
    }

    /// Checks the version: `v` and a number.
    private static func checkVersion(_ part: ArraySlice<UInt8>) throws(AssertionRefusal) {
        guard !part.elementsEqual(version.utf8) else { return }
        let isVersion = part.count == 2 && part.first == UInt8(ascii: "v")
        throw isVersion ? .otherVersion : .malformed
    }

    private static func append(_ part: String, _ end: UInt8, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: part.utf8)
        bytes.append(end)
    }
}

/// The times of a call, in milliseconds.
struct CallTimes: Sendable, Equatable {
    /// Unix time by the caller's wall clock.
    let time: Int64
    /// That moment by the caller's `BootClock`.
    let ticks: Int64
    /// How long the caller waits for the response from that moment on.
    let wait: Int64

    var numbers: [Int64] { [time, ticks, wait] }
}

/// The parts of a request that an assertion covers.
package struct AssertedRequest: Sendable {
    package let method: String
    /// The path with its query.
    package let path: String
    /// The value of `Authorization`; empty if there is none.
    package let authorization: String
    package let body: [UInt8]

    package init(method: String, path: String, authorization: String = "", body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.authorization = authorization
        self.body = body
    }
}

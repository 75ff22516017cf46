/// The offsets from UTC of a time zone: the changes that its file lists, then the yearly rule at the file's end (RFC 9636).
struct TimeZoneRules: Sendable, Equatable {
    /// A moment, in Unix seconds, from which on an offset applies.
    private struct Transition: Sendable, Equatable {
        let at: Int64
        let offsetSeconds: Int64
    }

    /// The offset before the first change.
    private let firstOffset: Int64
    private let transitions: [Transition]
    private let yearly: YearlyTimeZoneRule?

    static func fixed(offsetSeconds: Int64) -> TimeZoneRules {
        TimeZoneRules(firstOffset: offsetSeconds, transitions: [], yearly: nil)
    }

    private init(firstOffset: Int64, transitions: [Transition], yearly: YearlyTimeZoneRule?) {
        (self.firstOffset, self.transitions, self.yearly) = (firstOffset, transitions, yearly)
    }

    /// Reads a TZif file of version 2 or later, or returns `nil` if the file is not one.
    init?(file: [UInt8]) {
        var bytes = ByteReader(file)
        // The first block, in 32 bits, exists for old readers.
        guard let old = Header(&bytes), old.version >= UInt8(ascii: "2"), bytes.skip(old.blockLength(timeSize: 4)),
            let header = Header(&bytes), header.types > 0
        else { return nil }
        let times = (0..<header.times).map { _ in bytes.integer(8) }
        let indexes = (0..<header.times).map { _ in bytes.integer(1) }
        var offsets: [Int64] = []
        for _ in 0..<header.types {
            guard let offset = bytes.integer(4), bytes.skip(2) else { return nil }
            offsets.append(offset)
        }
        guard bytes.skip(header.blockLength(timeSize: 8) - header.times * 9 - header.types * 6) else { return nil }
        var transitions: [Transition] = []
        for (time, index) in zip(times, indexes) {
            guard let time, let index, offsets.indices.contains(Int(index)) else { return nil }
            transitions.append(Transition(at: time, offsetSeconds: offsets[Int(index)]))
        }
        let footer = bytes.rest.split(separator: UInt8(ascii: "\n")).first.map { String(decoding: $0, as: UTF8.self) }
        self.init(firstOffset: offsets[0], transitions: transitions, yearly: footer.flatMap(YearlyTimeZoneRule.init))
    }

    /// Seconds that local time is ahead of UTC, at a time in Unix seconds.
    func offsetSeconds(at second: Int64) -> Int64 {
        guard let last = transitions.last, second < last.at else {
            return yearly?.offsetSeconds(at: second) ?? transitions.last?.offsetSeconds ?? firstOffset
        }
        return transitions.last { $0.at <= second }?.offsetSeconds ?? firstOffset
    }

    /// The counts at the start of a block.
    private struct Header {
        let version: UInt8
        let times, types: Int
        private let isUTC, isStandard, leaps, characters: Int

        init?(_ bytes: inout ByteReader) {
            guard bytes.take(4) == Array("TZif".utf8), let version = bytes.take(1)?.first, bytes.skip(15) else {
                return nil
            }
            var counts: [Int] = []
            for _ in 0..<6 {
                guard let count = bytes.integer(4), (0...65_536).contains(count) else { return nil }
                counts.append(Int(count))
            }
            self.version = version
            (isUTC, isStandard, leaps, times, types, characters) = (
                counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
            )
        }

        func blockLength(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + isStandard + isUTC
        }
    }
}

/// Reads integers in network order from bytes, but never past their end.
private struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func take(_ count: Int) -> [UInt8]? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    /// Reads a signed integer of 4 or 8 bytes, or an unsigned one of 1.
    mutating func integer(_ size: Int) -> Int64? {
        guard let bytes = take(size) else { return nil }
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(truncatingIfNeeded: bits)
    }
}

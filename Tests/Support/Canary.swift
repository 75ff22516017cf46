import CryptoPrimitives
import Foundation

/// A secret text that was planted, and must stand nowhere: as it is, in hex, or in base64.
package struct Canary: Sendable, CustomStringConvertible {
    /// Longer runs of these around a code of six digits are an identifier that holds it by chance.
    private static let chanceRunLength = 16

    private let plain: [UInt8]
    private let encoded: [[UInt8]]
    package let description: String

    package init(_ text: String) { self.init(bytes: Array(text.utf8), description: text) }

    /// An identifier that is kept as bytes.
    package init(bytes: [UInt8]) { self.init(bytes: bytes, description: Hex.encode(bytes)) }

    private init(bytes: [UInt8], description: String) {
        self.description = description
        plain = bytes
        // Base64 of a longer text holds that of a part in one of three shifts, but for its ends.
        let shifted = (0..<3).map { shift -> String in
            let base64 = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
            return String(base64.filter { $0 != "=" }.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(1))
        }
        encoded = ([Hex.encode(bytes), Hex.encode(bytes).uppercased()] + shifted).map { Array($0.utf8) }
    }

    /// The spellings of a phone number that would give it away.
    package static func number(_ e164: String) -> [Canary] {
        let digits = e164.drop { $0 == "+" }
        return [Canary(e164), Canary(String(digits)), Canary(String(digits.dropFirst()))]
    }

    /// Whether `bytes` hold it.
    package func stands(in bytes: [UInt8]) -> Bool {
        encoded.contains { !Self.places(of: $0, in: bytes).isEmpty }
            || Self.places(of: plain, in: bytes).contains { !Self.isChance($0..<$0 + plain.count, in: bytes) }
    }

    private static func places(of needle: [UInt8], in bytes: [UInt8]) -> [Int] {
        var places: [Int] = []
        let (all, wanted) = (Data(bytes), Data(needle))
        var start = all.startIndex
        while let found = all.range(of: wanted, in: start..<all.endIndex) {
            places.append(found.lowerBound)
            start = found.lowerBound + 1
        }
        return places
    }

    /// Whether what stands there is part of a long number or identifier, as short digits are now and then.
    private static func isChance(_ place: Range<Int>, in bytes: [UInt8]) -> Bool {
        let before = bytes[..<place.lowerBound].reversed().prefix { isOfIdentifier($0) }
        let after = bytes[place.upperBound...].prefix { isOfIdentifier($0) }
        let isInNumber = [before.first, after.first].contains { $0.map(isDigit) ?? false }
        let length = before.count + place.count + after.count
        return place.count < 8 && (isInNumber || length >= chanceRunLength)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isOfIdentifier(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

/// A text that a canary is looked for in.
package struct Trace: Sendable {
    /// Where it comes from.
    package let name: String
    package let bytes: [UInt8]

    package init(_ name: String, _ text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// All regular files below `directory`, by their paths in it, but for those that `isMeant` refuses.
    package static func files(
        in directory: String, where isMeant: (String) -> Bool = { _ in true }
    ) throws -> [Trace] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).filter(isMeant).compactMap { name in
            let path = "\(directory)/\(name)"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
            return Trace(name: name, bytes: Array(try Data(contentsOf: URL(filePath: path))))
        }
    }

    package func holds(_ text: String) -> Bool { String(decoding: bytes, as: UTF8.self).contains(text) }
}

package import CopyTargets
import CryptoPrimitives

/// The names of files at a target. The seal of each file covers its name.
enum CopyName {
    /// The file that shows which copier uses the target.
    static let marker = "latchkey-copy"
    static let points = "points/"
    static let parts = "parts/"

    /// Returns the name of a part of a point.
    static func part(sequence: Int64, copier: [UInt8], index: Int) -> String {
        "\(parts)\(digits(sequence, 10))-\(Hex.encode(copier))-\(digits(Int64(index), 6))"
    }

    /// Returns the sequence of the point to which a part belongs, or `nil` for another name.
    static func sequence(ofPart name: String) -> Int64? {
        guard name.hasPrefix(parts) else { return nil }
        return Int64(name.dropFirst(parts.count).prefix(10))
    }

    static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

/// The name of a point: a moment to which the databases can be restored.
package struct CopyPointName: Sendable, Hashable, Comparable {
    /// The order of all points at a target; the times need not have it, since a clock can go back.
    package let sequence: Int64
    /// Unix time in seconds.
    package let time: Int64
    /// Whether the point needs no earlier one.
    package let isWhole: Bool
    package let copier: String

    init(sequence: Int64, time: Int64, isWhole: Bool, copier: [UInt8]) {
        (self.sequence, self.time, self.isWhole, self.copier) = (sequence, time, isWhole, Hex.encode(copier))
    }

    /// Reads a name, or returns `nil` if it is not that of a point.
    package init?(_ text: String) {
        guard text.hasPrefix(CopyName.points) else { return nil }
        let fields = text.dropFirst(CopyName.points.count).split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 4, let sequence = Int64(fields[0]), let time = Int64(fields[1]),
            sequence > 0, time >= 0, ["w", "p"].contains(fields[2]),
            // A target that lists greater ones would make the sums with them overflow.
            fields[0].utf8.count == 10, fields[1].utf8.count == 10
        else { return nil }
        (self.sequence, self.time, isWhole, copier) = (sequence, time, fields[2] == "w", String(fields[3]))
        guard self.text == text else { return nil }
    }

    package var text: String {
        let (sequence, time) = (CopyName.digits(sequence, 10), CopyName.digits(time, 10))
        return "\(CopyName.points)\(sequence)-\(time)-\(isWhole ? "w" : "p")-\(copier)"
    }

    package static func < (one: Self, other: Self) -> Bool {
        (one.sequence, one.text) < (other.sequence, other.text)
    }

    /// Returns all points at a target in their order.
    package static func all(at target: any CopyTarget) async throws(CopyTargetFailure) -> [CopyPointName] {
        try await target.list(CopyName.points).compactMap { CopyPointName($0.name) }.sorted()
    }
}

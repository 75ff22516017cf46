package import CopyTargets
import CryptoPrimitives

/// The names of files at a target. The seal of each file covers its name.
enum CopyName {
    /// The file that shows which copier uses the target.
    static let marker = "latchkey-copy"
    static let points = "points/"
    static let parts = "parts/"

    /// Returns the name of a part with changed pages, or of a slice of the whole databases.
    ///
    /// - Parameter sequence: The sequence of the part's point, or of the first point after the beginning of the slices.
    static func part(sequence: Int64, copier: [UInt8], index: Int, isSlice: Bool = false) -> String {
        "\(parts)\(digits(sequence, 10))-\(Hex.encode(copier))-\(isSlice ? "w" : "c")\(digits(Int64(index), 6))"
    }

    /// Returns the sequence in a part's name, or `nil` for another name.
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
    /// The lowest sequence of its parts, if the point has the whole databases; `nil` if it continues an earlier point.
    let wholeFrom: Int64?
    package let copier: String

    /// A name has ten digits for a time: a clock may be wrong, but a point must be found again.
    private static let timeRange: ClosedRange<Int64> = 0...9_999_999_999

    init(sequence: Int64, time: Int64, wholeFrom: Int64?, copier: [UInt8]) {
        self.time = min(max(time, Self.timeRange.lowerBound), Self.timeRange.upperBound)
        (self.sequence, self.wholeFrom, self.copier) = (sequence, wholeFrom, Hex.encode(copier))
    }

    /// Whether the point needs no earlier one.
    package var isWhole: Bool { wholeFrom != nil }

    /// Reads a name, or returns `nil` if it is not that of a point.
    package init?(_ text: String) {
        guard text.hasPrefix(CopyName.points) else { return nil }
        let fields = text.dropFirst(CopyName.points.count).split(separator: "-", omittingEmptySubsequences: false)
        let isPart = fields.count == 4 && fields[2] == "p"
        guard fields.count == 4, let sequence = Int64(fields[0]), let time = Int64(fields[1]),
            sequence > 0, time >= 0, let first = isPart ? sequence : Int64(fields[2]), first > 0, first <= sequence,
            // A target that lists greater ones would make the sums with them overflow.
            fields[0].utf8.count == 10, fields[1].utf8.count == 10
        else { return nil }
        (self.sequence, self.time, wholeFrom, copier) = (sequence, time, isPart ? nil : first, String(fields[3]))
        guard self.text == text else { return nil }
    }

    package var text: String {
        let (sequence, time) = (CopyName.digits(sequence, 10), CopyName.digits(time, 10))
        return "\(CopyName.points)\(sequence)-\(time)-\(wholeFrom.map { CopyName.digits($0, 10) } ?? "p")-\(copier)"
    }

    package static func < (one: Self, other: Self) -> Bool {
        (one.sequence, one.text) < (other.sequence, other.text)
    }

    /// Returns all points at a target in their order.
    package static func all(at target: any CopyTarget) async throws(CopyTargetFailure) -> [CopyPointName] {
        try await target.list(CopyName.points).compactMap { CopyPointName($0.name) }.sorted()
    }
}

/// Names in messages: the one that a mistyped one was probably meant to be, and the choice of all.
package enum Spelling {
    /// Longer texts are no slips of the finger, and would take long to compare.
    private static let comparedBytesMax = 64

    /// The name among `names` that is closest to `text`, or `nil` if none is close.
    ///
    /// Letter case, `_` and `-` do not count. At most one typing error for every four letters is understood.
    package static func nearest(to text: String, among names: some Sequence<String>) -> String? {
        let typed = letters(text)
        guard typed.count <= comparedBytesMax else { return nil }
        var best: (name: String, distance: Int)?
        for name in names.sorted() {
            let known = letters(name)
            let allowed = max(min(typed.count, known.count) / 4, 1)
            guard abs(known.count - typed.count) <= allowed else { continue }
            let distance = distance(typed, known)
            guard distance <= allowed, distance < best?.distance ?? .max else { continue }
            best = (name, distance)
        }
        return best?.name
    }

    /// Words as a choice: "a, b or c".
    package static func choice(of words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func letters(_ text: String) -> [UInt8] {
        Array(text.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") })
    }

    /// The number of letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var (before, last) = ([Int](), Array(0...other.count))
        for (row, letter) in one.enumerated() {
            var line = [row + 1]
            for (column, its) in other.enumerated() {
                var cost = min(last[column] + (letter == its ? 0 : 1), last[column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == its {
                    cost = min(cost, before[column - 1] + 1)
                }
                line.append(cost)
            }
            (before, last) = (last, line)
        }
        return last.last ?? 0
    }
}

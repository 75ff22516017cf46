/// Figures as lines for people.
package enum FigureText {
    private static let nameWidth = 34
    private static let valueWidth = 12

    /// One line; a missed bound stands out.
    package static func line(_ figure: Figure) -> String {
        var line = "  " + padded(figure.name, to: nameWidth)
        line += leftPadded(number(figure.value), to: valueWidth) + " " + figure.unit.rawValue
        if let spread = figure.spread, spread.count > 1 {
            line += "  (\(number(spread.least)) – \(number(spread.most)), \(spread.count) rounds)"
        }
        if let pairs = figure.pairs {
            line +=
                "  (quartiles \(number(pairs.lowerQuartile)) – \(number(pairs.upperQuartile)), \(pairs.count) pairs)"
        }
        switch figure.bound {
        case nil: break
        case .atMost(let limit): line += "  at most \(number(limit)): \(verdict(figure))"
        case .atLeast(let limit): line += "  at least \(number(limit)): \(verdict(figure))"
        }
        return line
    }

    /// Digits that mean something: whole from 100 on, then one, then three after the point.
    package static func number(_ value: Double) -> String {
        let places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 3
        let scale = [1, 10, 0, 1000][places]
        guard let scaled = Int(exactly: (value * Double(scale)).rounded()) else { return "\(value)" }
        guard places > 0 else { return String(scaled) }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
        let digits = String(rest)
        let sign = scaled < 0 ? "-" : ""
        return sign + "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }

    private static func verdict(_ figure: Figure) -> String {
        figure.meetsBound ? figure.pairs == nil ? "ok" : "kept" : "MISSED"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func leftPadded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

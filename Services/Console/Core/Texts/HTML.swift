import ServiceKit

/// A piece of a page. A text that is interpolated into it is escaped; only another piece is not.
struct HTML: ExpressibleByStringInterpolation, Sendable, Equatable {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ piece: HTML) { text += piece.text }
        mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
        mutating func appendInterpolation(_ words: String) { text += words.escapedForHTML }
        mutating func appendInterpolation(_ number: some BinaryInteger) { text += "\(number)" }
    }

    static let nothing: HTML = ""

    let text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

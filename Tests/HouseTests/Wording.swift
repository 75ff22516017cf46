import Foundation

/// The words and openings that `deploy/docs/contributing/glossary.md` replaces.
enum Wording {
    /// The refused words, which the glossary has in bold.
    static let words = [
        "nobody", "whoever", "whom", "he", "his", "him", "himself", "greenwich", "barred", "fate", "farewell",
        "stranger", "strangers", "siege", "mend",
        "proved", "resting", "spent token", "spent tokens", "spent grant", "spent grants", "spent code",
    ]
    private static let pattern = #"(?i)\b("# + words.joined(separator: "|") + #")\b"#
    private static let openings =
        #"^/// (Of|As|What|Who|Whom|Whose|Those|The same|Nil (?:when|where|for|if|unless)|Nil:|Nobody|Whoever)(?!\w)"#

    /// Names that are stored or seen outside, with the reason. A name counts only in backticks or as a whole literal.
    private static let names = [
        "barred": "a reply of the Redis functions, and a reason of a provider in traces",
        "find: nobody": "a detail of audit records",
        "nobody": "the sender of a message in traces that was not sent",
        "proved": "a result of operations and in metrics",
        "resting": "a state in the model of the client libraries",
        "STRANGER": "a constant of the Redis functions, whose text gives their library its name",
        "stranger": "the scope of unrecognised clients in replies of the Redis functions and in audit records",
    ]

    /// The refused words and openings of a source, each with its line.
    static func refused(in source: SourceText, literals: Bool) -> [String] {
        source.pieces.flatMap { piece in
            var found: [String] = []
            if piece.isOpening, let opening = match(openings, in: piece.text) {
                found.append("\(piece.line): a doc comment opens with \"\(opening)\"")
            }
            if piece.kind != .literal || literals {
                found += words(of: piece).map { "\(piece.line): \"\($0)\"" }
            }
            return found
        }
    }

    private static func words(of piece: SourceText.Piece) -> [String] {
        var text = piece.text
        for name in names.keys {
            text = text.replacingOccurrences(of: "`\(name)`", with: "")
            if piece.kind == .literal, text.dropFirst().dropLast() == name { return [] }
        }
        var found: [String] = []
        while let range = text.range(of: pattern, options: .regularExpression) {
            found.append(String(text[range]))
            text = String(text[range.upperBound...])
        }
        return found
    }

    private static func match(_ pattern: String, in text: String) -> String? {
        text.range(of: pattern, options: .regularExpression).map { String(text[$0].dropFirst(4)) }
    }
}

import Foundation

/// The comments and string literals of a Swift or Lua file.
struct SourceText {
    enum Kind { case documentation, comment, literal }

    /// One comment line, block comment or string literal.
    struct Piece: Equatable {
        let kind: Kind
        /// The line on which it begins, from 1.
        let line: Int
        let text: String
        /// Whether a documentation line begins a block or a paragraph.
        var isOpening = false
    }

    let pieces: [Piece]

    init(swift text: String) {
        let raw = #"(#+)"(?:""[\s\S]*?""|.*?)"\1"#
        let pattern = raw + #"|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|/\*[\s\S]*?\*/|//[^\n]*"#
        pieces = Self.openings(Self.pieces(pattern, in: text))
    }

    init(lua text: String) {
        let pattern = #"--\[\[[\s\S]*?\]\]|--[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"#
        pieces = Self.pieces(pattern, in: text)
    }

    private static func pieces(_ pattern: String, in text: String) -> [Piece] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        let whole = text as NSString
        var (line, read) = (1, 0)
        return expression.matches(in: text, range: NSRange(location: 0, length: whole.length)).map { match in
            let before = NSRange(location: read, length: match.range.location - read)
            line += whole.substring(with: before).count { $0 == "\n" }
            read = match.range.location
            let piece = whole.substring(with: match.range)
            return Piece(kind: kind(piece), line: line, text: piece)
        }
    }

    private static func kind(_ piece: String) -> Kind {
        if piece.hasPrefix("///") { return .documentation }
        return ["//", "/*", "--"].contains { piece.hasPrefix($0) } ? .comment : .literal
    }

    private static func openings(_ pieces: [Piece]) -> [Piece] {
        var before: Piece?
        return pieces.map { piece in
            var piece = piece
            if piece.kind == .documentation {
                let continues = before.map { $0.kind == .documentation && $0.line == piece.line - 1 } ?? false
                piece.isOpening = !continues || before?.text == "///"
            }
            before = piece
            return piece
        }
    }
}

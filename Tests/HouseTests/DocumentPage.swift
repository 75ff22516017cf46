import Foundation
import Testing

/// A page of the documents, in Markdown.
struct DocumentPage: Sendable, CustomTestStringConvertible {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let marks = ["run", "compiled", "shown"]

    /// A link to a file of the repository.
    struct Link: Equatable {
        /// The link as it is written.
        let text: String
        /// The file, from the root of the repository.
        let path: String
        let anchor: String?
    }

    let path: String
    let text: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    init(path: String) throws {
        self.init(path: path, text: try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8))
    }

    var testDescription: String { path }

    /// All pages that hosting sites show: the README, those for contributors, and the documents.
    static func all() throws -> [DocumentPage] {
        let folders = ["deploy/docs", ".github"]
        let files = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").map { "\(folder)/\($0)" }
        }
        return try (["README.md"] + files.filter { $0.hasSuffix(".md") }.sorted()).map(DocumentPage.init(path:))
    }

    /// The lines with whether they are in a code block, which begins and ends with a fence.
    private var lines: [(text: Substring, number: Int, isCode: Bool, isFence: Bool)] {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { offset, line in
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            defer { if isFence { isCode.toggle() } }
            return (line, offset + 1, isCode, isFence)
        }
    }

    /// The first lines of blocks whose second word is no mark.
    var unmarkedBlocks: [String] {
        lines.filter { $0.isFence && !$0.isCode }.compactMap { line in
            let words = line.text.drop { $0 == " " || $0 == "`" }.split(separator: " ")
            let isMarked = words.count == 2 && Self.marks.contains(String(words[1]))
            return isMarked ? nil : "\(path):\(line.number)"
        }
    }

    /// The code of the blocks, by their language.
    var blocks: [String: String] {
        var blocks: [String: String] = [:]
        var language = ""
        for line in lines {
            if line.isFence, !line.isCode {
                language = String(line.text.drop { $0 == " " || $0 == "`" }.prefix { $0 != " " })
            }
            if line.isCode, !line.isFence { blocks[language, default: ""] += "\(line.text)\n" }
        }
        return blocks
    }

    /// The anchors of the headings, as hosting sites make them.
    var anchors: [String] {
        lines.filter { !$0.isCode && !$0.isFence && $0.text.contains(#/^#+ /#) }.map { line in
            let title = line.text.drop { $0 == "#" || $0 == " " }.lowercased()
            return String(title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }).replacing(" ", with: "-")
        }
    }

    var links: [Link] {
        let prose = lines.filter { !$0.isCode && !$0.isFence }.map { $0.text.replacing(#/`[^`]*`/#, with: "") }
        let folder = path.split(separator: "/").dropLast()
        return prose.joined(separator: "\n").matches(of: #/(?:\]\(|src=")([^)\s"]+)/#).compactMap { match in
            let text = String(match.output.1)
            guard !text.contains(#/^[a-z]+:/#) else { return nil }
            let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            var target = parts[0].isEmpty ? path.split(separator: "/") : Array(folder)
            for part in parts[0].split(separator: "/") {
                if part == ".." { _ = target.popLast() } else { target.append(part) }
            }
            return Link(
                text: text, path: target.joined(separator: "/"), anchor: parts.count > 1 ? String(parts[1]) : nil)
        }
    }

    /// The links whose file, or whose heading in it, does not exist.
    func brokenLinks() throws -> [String] {
        try links.filter { link in
            let isHere = link.path == path
            guard isHere || FileManager.default.fileExists(atPath: "\(Self.root)/\(link.path)") else { return true }
            guard let anchor = link.anchor, link.path.hasSuffix(".md") else { return false }
            return !(isHere ? anchors : try DocumentPage(path: link.path).anchors).contains(anchor)
        }
        .map { "\(path): \($0.text)" }
    }
}

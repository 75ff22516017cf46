import Foundation

/// The Swift sources of a folder, read for what their folders use of each other.
///
/// One folder uses another when a file of it names a type that only a file of the other declares at its top level.
struct SourceFolder {
    /// One file: which of the folder's own folders it lies in, and its text without comments and strings.
    struct File {
        let folder: String
        let text: String
        /// Its string literals.
        let literals: [String]

        init(folder: String, text: String) { (self.folder, self.text, literals) = (folder, text, []) }

        /// - Parameter raw: its whole text.
        init(folder: String, raw: String) {
            self.folder = folder
            text = SourceFolder.withoutNoise(raw)
            literals = SourceText(swift: raw).pieces.filter { $0.kind == .literal }.map(\.text)
        }
    }

    let files: [File]

    init(files: [File]) { self.files = files }

    /// - Parameter path: of a folder; files that lie in it directly belong to the folder ".".
    init(path: String) throws {
        let root = URL(filePath: path)
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }
        files = try names.sorted().map { name in
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            let parts = name.split(separator: "/")
            return File(folder: parts.count > 1 ? String(parts[0]) : ".", raw: text)
        }
    }

    /// The modules that its files import.
    var imports: Set<String> {
        Set(files.flatMap { Self.matches(#"(?m)^(?:@?\w+ )*import (\w+)"#, in: $0.text) })
    }

    /// Whether one of its string literals has a statement of SQL.
    var containsSQL: Bool {
        let statement = #"\b(SELECT|INSERT INTO|DELETE FROM|UPDATE [a-z_]+ SET)\b"#
        return files.flatMap(\.literals).contains { $0.range(of: statement, options: .regularExpression) != nil }
    }

    /// Folders that use each other, directly or by way of others.
    var circles: [Set<String>] {
        let uses = arrows
        let reached = uses.keys.map { (from: $0, to: Self.reachable(from: $0, uses)) }
        let inCircles = reached.filter { $0.to.contains($0.from) }
        let groups = inCircles.map { folder in
            Set(inCircles.filter { folder.to.contains($0.from) && $0.to.contains(folder.from) }.map(\.from))
        }
        return Array(Set(groups))
    }

    /// Which folder names types of which; files that lie beside the folders put them together, and count for none.
    private var arrows: [String: Set<String>] {
        var homes: [String: [File]] = [:]
        for file in files { for name in Self.declared(file.text) { homes[name, default: []].append(file) } }
        var arrows: [String: Set<String>] = [:]
        for file in files where file.folder != "." {
            for word in Set(Self.matches(#"\b([A-Z]\w+)"#, in: file.text)) {
                guard let home = homes[word], home.count == 1, home[0].folder != file.folder, home[0].folder != "."
                else { continue }
                arrows[file.folder, default: []].insert(home[0].folder)
            }
        }
        return arrows
    }

    /// Types that begin at the margin.
    private static func declared(_ text: String) -> [String] {
        matches(
            #"(?m)^(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)*?(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)"#,
            in: text)
    }

    fileprivate static func withoutNoise(_ text: String) -> String {
        let noise = #""""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*"#
        return text.replacingOccurrences(of: noise, with: " ", options: .regularExpression)
    }

    /// The text of each match's first group.
    static func matches(_ pattern: String, in text: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        let whole = text as NSString
        return expression.matches(in: text, range: NSRange(location: 0, length: whole.length))
            .map { whole.substring(with: $0.range(at: 1)) }
    }

    private static func reachable(from start: String, _ arrows: [String: Set<String>]) -> Set<String> {
        var found: Set<String> = []
        var rest = Array(arrows[start] ?? [])
        while let next = rest.popLast() {
            if found.insert(next).inserted { rest += arrows[next] ?? [] }
        }
        return found
    }
}

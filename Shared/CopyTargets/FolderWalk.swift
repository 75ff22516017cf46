/// Lists the files of a target that has folders.
enum FolderWalk {
    enum Entry: Sendable, Equatable {
        case file(String, bytes: Int)
        case folder(String)
    }

    static let tooMany = CopyTargetFailure(
        .unexpected, "the target has more than \(CopyTargetFile.countMax) files or folders")

    /// Returns the files whose names begin with a prefix, in the order of their names. Names that no copy has are skipped.
    ///
    /// - Parameter entries: Returns the entries of a folder, whose name is empty for the target's own.
    static func files(
        beginningWith prefix: String, _ entries: (String) async throws(CopyTargetFailure) -> [Entry]
    ) async throws(CopyTargetFailure) -> [CopyTargetFile] {
        var walk = Walk(prefix)
        while let folder = walk.next() { try walk.take(try await entries(folder), of: folder) }
        return walk.result
    }

    private struct Walk {
        let prefix: String
        var waiting = [""]
        var count = 0
        var files: [CopyTargetFile] = []

        init(_ prefix: String) { self.prefix = prefix }

        var result: [CopyTargetFile] { files.sorted { $0.name < $1.name } }

        mutating func next() -> String? { waiting.popLast() }

        mutating func take(_ entries: [Entry], of folder: String) throws(CopyTargetFailure) {
            count += entries.count
            guard count <= CopyTargetFile.countMax else { throw FolderWalk.tooMany }
            for entry in entries {
                switch entry {
                case .file(let own, let bytes):
                    let name = folder.isEmpty ? own : "\(folder)/\(own)"
                    guard name.hasPrefix(prefix), CopyTargetFile.isName(name) else { continue }
                    files.append(CopyTargetFile(name: name, bytes: bytes))
                case .folder(let own):
                    let name = folder.isEmpty ? own : "\(folder)/\(own)"
                    guard CopyTargetFile.isName(name) else { continue }
                    if "\(name)/".hasPrefix(prefix) || prefix.hasPrefix("\(name)/") { waiting.append(name) }
                }
            }
        }
    }
}

import FoundationEssentials

extension Policy {
    package static let fileBytesMax = 262_144

    /// Reads the policy that `LATCHKEY_POLICY` names.
    ///
    /// - Parameters:
    ///   - named: A name (`starter` → `<directory>/starter.yaml`), or a path, known by its `/`.
    ///   - directory: The policies folder.
    ///   - appName: `LATCHKEY_APP_NAME`, the app's name for a policy without one; empty counts as unset.
    /// - Throws: Everything that is wrong with the file or the name, or that there is no file.
    package static func load(
        named: String, directory: String, appName: String? = nil
    ) throws(PolicyError) -> Policy {
        let path = named.contains("/") ? named : "\(directory)/\(named).yaml"
        let file = path.split(separator: "/").last.map(String.init) ?? path
        var policy = try parse(try read(path, file: file), file: file, appName: try checked(appName))
        policy.folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return policy
    }

    private static func checked(_ appName: String?) throws(PolicyError) -> String? {
        guard let appName, !appName.isEmpty else { return nil }
        guard let name = TextRule.appName.parse(appName) else {
            throw PolicyError(file: "LATCHKEY_APP_NAME", "invalid name: use \(TextRule.appName.allowed)")
        }
        return name
    }

    /// Reads a policy from the text of a file; `file` is in messages, and without its extension it is the name.
    ///
    /// - Parameter appName: The app's name if the file has none; `nil` for the default.
    package static func parse(
        _ text: String, file: String, appName: String? = nil
    ) throws(PolicyError) -> Policy {
        let name = file.hasSuffix(".yaml") ? String(file.dropLast(".yaml".count)) : file
        return try parse(text, file: file) { Policy(name: name, appName: appName, reading: $0) }
    }

    /// The folder of something that belongs to the policy, such as its texts: the folder of its file, unless only the
    /// policies folder has something of that name.
    func directory(of name: String, policies directory: String) -> String {
        guard let folder else { return directory }
        func contains(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }
        return !contains(folder) && contains(directory) ? directory : folder
    }

    /// Reads what `read` makes of the root of a file.
    ///
    /// - Throws: everything that is wrong with it.
    static func parse<Value>(
        _ text: String, file: String, _ read: (PolicySection) -> Value
    ) throws(PolicyError) -> Value {
        let document = try YAMLDocument(parsing: text, file: file)
        let findings = PolicyFindings(file: file)
        let value = PolicyValue(node: document.root, keyPath: "", findings: findings).section(read)
        try findings.finish()
        guard let value else { throw PolicyError(file: file, "is not a section") }
        return value
    }

    static func read(_ path: String, file: String) throws(PolicyError) -> String {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw PolicyError(file: file, "cannot be read from \(path); allowed: \(available(beside: path))")
        }
        guard bytes.count <= fileBytesMax else {
            throw PolicyError(file: file, "\(bytes.count) bytes are not allowed; allowed: \(fileBytesMax)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PolicyError(file: file, "is not UTF-8")
        }
        return text
    }

    /// The policies that lie where the missing one was looked for.
    private static func available(beside path: String) -> String {
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            return "a readable file, and \(directory) is no readable folder"
        }
        let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }.sorted()
        return names.isEmpty ? "a file in \(directory)" : names.joined(separator: ", ")
    }
}

extension PolicyError {
    init(file: String, _ message: String) {
        self.init(findings: [.init(file: file, line: nil, keyPath: "", message: message)])
    }
}

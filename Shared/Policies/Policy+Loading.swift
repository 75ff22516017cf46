import FoundationEssentials
import SettingNames

extension Policy {
    package static let fileBytesMax = 262_144

    /// Reads the policy that `LATCHKEY_POLICY` specifies.
    ///
    /// - Parameters:
    ///   - named: A name (`starter` → `<directory>/starter.yaml`), or a path, recognised by its `/`.
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

    /// Reads a policy from the text of a file. Messages contain `file`, which without its extension is the policy's name.
    ///
    /// - Parameter appName: The app's name if the file has none; `nil` for the default.
    package static func parse(
        _ text: String, file: String, appName: String? = nil
    ) throws(PolicyError) -> Policy {
        let name = file.hasSuffix(".yaml") ? String(file.dropLast(".yaml".count)) : file
        return try parse(text, file: file) { Policy(name: name, appName: appName, reading: $0) }
    }

    /// The folder of a file that belongs to the policy, such as its texts: the folder of the policy's file, unless only the
    /// policies folder has a file of that name.
    func directory(of name: String, policies directory: String) -> String {
        guard let folder else { return directory }
        func contains(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }
        return !contains(folder) && contains(directory) ? directory : folder
    }

    /// Reads the root of a file with `read`.
    ///
    /// - Throws: `PolicyError` with everything that is wrong with the file.
    static func parse<Value>(
        _ text: String, file: String, _ read: (PolicySection) -> Value
    ) throws(PolicyError) -> Value {
        let document = try YAMLDocument(parsing: text, file: file)
        let findings = PolicyFindings(file: file)
        let value = PolicyValue(node: document.root, keyPath: "", findings: findings).section(read)
        try findings.finish()
        guard let value else {
            throw PolicyError(
                file: file, "is not a policy: it has no keys. deploy/policies/howru.yaml shows all of them.")
        }
        return value
    }

    static func read(_ path: String, file: String) throws(PolicyError) -> String {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw PolicyError(file: file, missing(path))
        }
        guard bytes.count <= fileBytesMax else {
            throw PolicyError(file: file, "has \(bytes.count) bytes. Use at most \(fileBytesMax).")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PolicyError(file: file, "is not UTF-8 text. Save it as UTF-8.")
        }
        return text
    }

    /// The message that there is no policy at a path, with the policies that exist next to it.
    private static func missing(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let directory = folder.isEmpty ? "/" : folder
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            return "the policies folder \(directory) does not exist or cannot be read. Name another one in "
                + "LATCHKEY_POLICIES_DIR, or the policy by its path in LATCHKEY_POLICY."
        }
        if let file = parts.last, files.contains(String(file)) {
            return "this user cannot read \(path). Run chmod a+r '\(path)'."
        }
        let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }.sorted()
        let wanted = String((parts.last ?? "").split(separator: ".").first ?? "")
        let meant = Spelling.nearest(to: wanted, among: names).map { " Did you mean \($0)?" } ?? ""
        return "there is no policy at \(path).\(meant) "
            + (names.isEmpty ? "The folder has no other one." : "The folder has \(names.joined(separator: ", ")).")
    }
}

extension PolicyError {
    init(file: String, _ message: String) {
        self.init(findings: [.init(file: file, line: nil, keyPath: "", message: message)])
    }
}

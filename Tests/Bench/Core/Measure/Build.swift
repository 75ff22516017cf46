import FoundationEssentials
import TestSupport

/// A folder of built processes, and the policies that they understand.
struct Build: Sendable, Equatable {
    let binaries: String
    let policies: String

    /// The processes that are measured: this build's.
    ///
    /// The policies of the tests lie where the tests were compiled, which may be another machine.
    static let own = Build(
        binaries: LatchkeyStack.binaries,
        policies: ProcessInfo.processInfo.environment["LATCHKEY_POLICIES_DIR"] ?? LatchkeyStack.root + "deploy/policies"
    )

    private init(binaries: String, policies: String) {
        self.binaries = binaries
        self.policies = policies
    }

    /// Another build, e.g. `../before/.build/release`.
    ///
    /// Its policies are those in `folder/policies`, else `deploy/policies` of the checkout that it lies in, else ours: a
    /// build stops at a key that only a later one knows.
    init(in folder: String) throws {
        let path = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
        binaries = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard FileManager.default.isExecutableFile(atPath: binaries + "/supervisor") else {
            throw UnexpectedReply(description: "\(folder) holds no built processes")
        }
        let parents = binaries.split(separator: "/")
        let candidates = parents.indices.reversed().map { "/" + parents[...$0].joined(separator: "/") }
        policies =
            ([binaries + "/policies"] + candidates.map { $0 + "/deploy/policies" })
            .first { FileManager.default.fileExists(atPath: $0 + "/howru.yaml") } ?? Self.own.policies
    }
}

/// The policy `howru` with changes that a measurement needs.
enum BenchPolicy {
    /// Writes the changed text into `folder`.
    ///
    /// - Returns: its path.
    static func write(
        of build: Build = .own, in folder: String, _ change: (inout String) throws -> Void
    ) throws -> String {
        var text = try String(contentsOfFile: build.policies + "/howru.yaml", encoding: .utf8)
        try change(&text)
        let path = folder + "/policy.yaml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}

extension String {
    /// Puts `new` in the place of every `old`, of which there has to be one.
    mutating func change(_ old: String, to new: String) throws {
        guard contains(old) else { throw UnexpectedReply(description: "howru.yaml has no \(old)") }
        replace(old, with: new)
    }
}

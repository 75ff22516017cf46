import FoundationEssentials
import TestSupport

/// A folder of built processes, and the policies that they understand.
package struct Build: Sendable, Equatable {
    package let binaries: String
    package let policies: String

    /// There are no processes in the folder that was named.
    package struct NotBuilt: Error, CustomStringConvertible { package let description: String }

    /// The processes that are measured: this build's.
    ///
    /// The policies of the tests lie where the tests were compiled, which may be another machine.
    package static let own = Build(
        binaries: LatchkeyStack.binaries,
        policies: ProcessInfo.processInfo.environment["LATCHKEY_POLICIES_DIR"] ?? LatchkeyStack.root + "deploy/policies"
    )

    init(binaries: String, policies: String) {
        self.binaries = binaries
        self.policies = policies
    }

    /// Another build, e.g. `../before/.build/release`.
    ///
    /// Its policies are those in `folder/policies`, else `deploy/policies` of the checkout that it lies in, else ours: a
    /// build stops at a key that only a later one knows.
    package init(in folder: String) throws {
        let path = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
        binaries = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard FileManager.default.isExecutableFile(atPath: binaries + "/supervisor") else {
            throw NotBuilt(description: "\(folder) holds no built processes")
        }
        policies = Self.policies(near: binaries) ?? Self.own.policies
    }

    private static func policies(near folder: String) -> String? {
        var candidates = [folder + "/policies"]
        var parents = folder.split(separator: "/")
        while !parents.isEmpty {
            candidates.append("/" + parents.joined(separator: "/") + "/deploy/policies")
            parents.removeLast()
        }
        return candidates.first { FileManager.default.fileExists(atPath: $0 + "/howru.yaml") }
    }
}

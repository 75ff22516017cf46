import Foundation
import Release
import TestSupport
import Testing

/// The small databases of a release, in `Tests/Vectors/Releases`: a deployment on each engine, as the release left it.
///
/// `files.tar.xz` contains the files of SQLite and the secrets of both deployments, `postgresql.sql` the dump.
struct ReleaseFolder: Sendable, CustomTestStringConvertible {
    /// A signed-in user of a deployment, and what their app has stored.
    struct Person: Codable, Equatable, Sendable {
        let id: String
        let phone: String?
        let email: String?
        let accessToken: String
        let refreshToken: String
    }

    /// The facts about the deployments that a test needs.
    struct Record: Codable, Sendable {
        /// Unix time in seconds.
        let writtenAt: Int
        let ofFiles: [Person]
        let ofServer: [Person]
    }

    private static let all = LatchkeyStack.root + "Tests/Vectors/Releases"
    /// The folder of this release, which `deploy/release --databases` writes.
    static let ofThisRelease = ReleaseFolder(path: "\(all)/\(Release.version)")
    /// Whether the tests write it.
    static let isWritten = ProcessInfo.processInfo.environment["LATCHKEY_WRITE_RELEASE"] == Release.version

    let path: String

    /// The folders of all releases.
    static func released() throws -> [ReleaseFolder] {
        guard FileManager.default.fileExists(atPath: all) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: all).sorted().map {
            ReleaseFolder(path: "\(all)/\($0)")
        }
    }

    var testDescription: String { URL(filePath: path).lastPathComponent }
    var files: String { path + "/files.tar.xz" }
    var dump: String { path + "/postgresql.sql" }
    var policy: String { path + "/policy.yaml" }

    func record() throws -> Record {
        try JSONDecoder().decode(Record.self, from: Data(contentsOf: URL(filePath: path + "/record.json")))
    }

    func write(_ record: Record) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(record) + Data("\n".utf8)).write(to: URL(filePath: path + "/record.json"))
    }

    /// Removes what an earlier run left, and copies the default policy.
    func begin() throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: LatchkeyStack.root + "deploy/policies/starter.yaml", toPath: policy)
    }

    /// Packs what a stopped deployment has in its folder of data.
    func pack(_ data: String) async throws {
        let packed = try await Shell.run(
            "tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cJf '\(files)' secrets *.sqlite*", in: data
        )
        try #require(packed.isSuccess, "\(packed.output)")
    }

    /// Unpacks it, closed to other users as a deployment has it.
    func unpack(_ members: String, to data: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-c", "umask 077; tar -C '\(data)' --no-same-permissions --no-same-owner -xJf '\(files)' \(members)",
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

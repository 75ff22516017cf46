import Foundation
import TestSupport
import Testing

@testable import CopyTargets

/// Checks the promises of every target on an empty one.
///
/// - Parameter folder: A folder for the files that are sent and received.
func checkContract(of target: any CopyTarget, in folder: String) async throws {
    let files = Files(target: target, folder: folder)
    try await files.expect([], under: "")
    // Larger than libcurl's buffers and S3's limit for `Expect`.
    for (name, bytes) in [("a/b.part", 3_000_001), ("a/c.part", 1), ("manifest", 0), ("z-1_2.3", 70_000)] {
        try await files.put(bytes, as: name)
        try await files.expectSame(name)
    }
    try await files.expect([("a/b.part", 3_000_001), ("a/c.part", 1), ("manifest", 0), ("z-1_2.3", 70_000)], under: "")
    try await files.expect([("a/b.part", 3_000_001), ("a/c.part", 1)], under: "a/")
    try await files.expect([("a/b.part", 3_000_001)], under: "a/b")
    try await files.expect([], under: "b")

    // In place of an earlier file.
    for bytes in [5000, 40] {
        try await files.put(bytes, as: "manifest")
        try await files.expectSame("manifest")
    }
    await expectFailure(.missing) { try await target.get("a/none", to: "\(folder)/none") }
    await expectFailure(.missing) { try await target.get("none/none", to: "\(folder)/none") }
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/none"))
    await expectFailure(.unexpected) { try await target.get("manifest", to: "\(folder)/none", bytesMax: 39) }
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/none"))
    // A local file is never replaced, and never removed.
    try await files.put(7, as: "seven")
    await expectFailure(.unexpected) { try await target.get("seven", to: "\(folder)/seven") }
    #expect(FileManager.default.fileExists(atPath: "\(folder)/seven"))
    await expectFailure(.unexpected) { try await target.put("\(folder)/none", as: "x") }
    for name in ["../x", "/x", "X", ""] {
        await expectFailure(.unexpected) { try await target.put("\(folder)/seven", as: name) }
        await expectFailure(.unexpected) { try await target.get(name, to: "\(folder)/none") }
        await expectFailure(.unexpected) { try await target.remove([name]) }
    }

    try await target.remove(["a/b.part", "none", "none/none", "seven"])
    try await files.expect([("a/c.part", 1), ("manifest", 40), ("z-1_2.3", 70_000)], under: "")
    try await target.remove(["a/b.part", "a/c.part", "manifest", "z-1_2.3"])
    try await files.expect([], under: "")
}

extension CopyTarget {
    func get(_ name: String, to path: String) async throws(CopyTargetFailure) {
        try await get(name, to: path, bytesMax: CopyTargetFile.bytesMax)
    }
}

/// The files of a test at a target, and on this host.
struct Files {
    let target: any CopyTarget
    let folder: String

    /// Makes a local file of random bytes, and stores it.
    func put(_ bytes: Int, as name: String) async throws { try await target.put(try make(bytes, name), as: name) }

    /// Makes a local file of random bytes, and returns its path.
    func make(_ bytes: Int, _ name: String) throws -> String {
        let path = local(name)
        let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
        try (random.read(upToCount: bytes) ?? Data()).write(to: URL(filePath: path))
        try random.close()
        return path
    }

    /// Expects that the stored file is the local one.
    func expectSame(_ name: String, at location: SourceLocation = #_sourceLocation) async throws {
        let copy = local(name) + ".copy"
        try await target.get(name, to: copy)
        let manager = FileManager.default
        #expect(manager.contents(atPath: copy) == manager.contents(atPath: local(name)), sourceLocation: location)
        let mode = try manager.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600, sourceLocation: location)
        try manager.removeItem(atPath: copy)
    }

    func expect(
        _ files: [(String, Int)], under prefix: String, at location: SourceLocation = #_sourceLocation
    ) async throws {
        let listed = try await target.list(prefix)
        #expect(listed == files.map { CopyTargetFile(name: $0.0, bytes: $0.1) }, sourceLocation: location)
    }

    private func local(_ name: String) -> String { folder + "/" + name.replacing("/", with: ".") }
}

/// Expects that `body` fails for a reason, with one short line.
@discardableResult func expectFailure(
    _ reason: CopyTargetFailure.Reason, at location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> String {
    let failure = await #expect(throws: CopyTargetFailure.self, sourceLocation: location) { try await body() }
    guard let failure else { return "" }
    #expect(failure.reason == reason, "\(failure)", sourceLocation: location)
    #expect(!failure.detail.isEmpty && !failure.detail.contains("\n"), sourceLocation: location)
    #expect(!failure.detail.contains("secret text") && failure.detail.utf8.count < 300, sourceLocation: location)
    return failure.detail
}

extension TransferPace.Limits {
    /// Short ones, for tests of slow servers.
    static let short = Self(stall: .seconds(2), window: .seconds(4), bytesPerSecond: 1024, interval: .milliseconds(100))
}

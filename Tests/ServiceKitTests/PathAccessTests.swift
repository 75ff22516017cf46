import Foundation
import Glibc
import Policies
import PrivateFiles
import Testing

@testable import ServiceKit

@Suite struct PathAccessTests {
    private static let us: UInt32 = 1000
    private static let (folder, file, link) = (UInt32(S_IFDIR), UInt32(S_IFREG), UInt32(S_IFLNK))

    private func step(_ path: String, _ mode: UInt32, owner: UInt32 = us, group: UInt32 = 50) -> PathStep {
        PathStep(path: path, owner: owner, group: group, mode: mode)
    }

    /// The finding about a file below `/srv/data`.
    private func found(
        data: UInt32 = 0o700, owner: UInt32 = us, srv: UInt32 = 0o755, srvOwner: UInt32 = 0, file mode: UInt32 = 0o600,
        fileOwner: UInt32 = us
    ) -> [PathExposure] {
        PathAccess.exposures(
            of: [
                step("/", Self.folder | 0o755, owner: 0), step("/srv", Self.folder | srv, owner: srvOwner),
                step("/srv/data", Self.folder | data, owner: owner),
                step("/srv/data/secret", Self.file | mode, owner: fileOwner),
            ], user: Self.us)
    }

    @Test func `what belongs to us or root and is written by nobody else has no exposure`() {
        #expect(found().isEmpty)
        #expect(found(owner: 0, fileOwner: 0).isEmpty)
        #expect(found(data: 0o755, file: 0o400).isEmpty)
    }

    @Test func `a step that another user owns is found, the file itself, its folder or one above`() {
        for exposures in [found(fileOwner: 1001), found(owner: 1001), found(srvOwner: 1001)] {
            #expect(exposures.count == 1 && exposures.allSatisfy { !$0.isForProductionOnly })
            #expect(exposures.first?.description.contains("belongs to user 1001") == true)
        }
    }

    @Test func `the advice takes a file or folder of ours back, and no folder above from its owner`() {
        #expect(found(fileOwner: 1001).first?.description.contains("chown 1000 '/srv/data/secret'") == true)
        for exposures in [found(owner: 1001), found(srvOwner: 1001)] {
            let advice = exposures.first?.description ?? ""
            #expect(!advice.contains("chown") && advice.hasSuffix("instead of /srv/data/secret"))
        }
    }

    @Test func `a step that all users can write to is found, but a sticky folder passes`() {
        for exposures in [found(file: 0o602), found(data: 0o702), found(srv: 0o777)] {
            #expect(exposures.contains { !$0.isForProductionOnly && $0.description.contains("chmod o-w") })
        }
        #expect(found(srv: 0o1777).isEmpty)
        #expect(found(srv: 0o1777, srvOwner: 1001).count == 1)
    }

    @Test func `a group that can write stops production, and everywhere where it is the file itself`() {
        #expect(found(srv: 0o775).map(\.isForProductionOnly) == [true])
        #expect(found(data: 0o770).map(\.isForProductionOnly) == [true])
        #expect(found(file: 0o620).map(\.isForProductionOnly) == [false])
        let itself = PathAccess.exposures(
            of: [step("/", Self.folder | 0o755, owner: 0), step("/data", Self.folder | 0o770)], user: Self.us)
        #expect(itself.map(\.isForProductionOnly) == [false])
    }

    @Test func `a group that reaches and reads a file is found, unless root owns the file`() {
        #expect(found(data: 0o755, file: 0o640).contains { $0.description.contains("chmod 600") })
        #expect(found(data: 0o750, file: 0o640).contains { $0.description.contains("chmod 600") })
        #expect(found(data: 0o700, file: 0o640).isEmpty)
        #expect(found(data: 0o750, owner: 0, file: 0o640, fileOwner: 0).isEmpty)
    }

    @Test func `a link that another user owns is found, and its own mode says nothing`() {
        func found(owner: UInt32) -> [PathExposure] {
            PathAccess.exposures(
                of: [
                    step("/", Self.folder | 0o755, owner: 0), step("/data", Self.link | 0o777, owner: owner),
                    step("/srv", Self.folder | 0o700),
                ], user: Self.us)
        }
        #expect(found(owner: Self.us).isEmpty && found(owner: 1001).count == 1)
    }

    // MARK: - Real paths

    /// Runs `body` with a folder in a folder, both closed.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: root + "/inner", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: root) }
        try body(root)
    }

    @Test func `a path is walked as the kernel does, over links and dots`() throws {
        try inFolder { root in
            try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: "inner/../inner")
            let steps = try #require(PathWalk.steps(to: root + "/./link"))
            #expect(steps.first?.path == "/" && steps.last?.path == root + "/inner")
            #expect(steps.contains { $0.path == root + "/link" })
            #expect(PathWalk.steps(to: root + "/nothing") == nil)
            try FileManager.default.createSymbolicLink(atPath: root + "/loop", withDestinationPath: "loop")
            #expect(PathWalk.steps(to: root + "/loop") == nil)
        }
    }

    @Test func `production refuses a folder below one that a group can write to, others warn`() throws {
        try inFolder { root in
            try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: root)
            try FileAccess.requireOwn(root + "/inner", setting: "DIR", in: .uat)
            #expect(FileAccess.cautions(of: root + "/inner").count == 1)
            #expect(throws: SettingsError.self) {
                try FileAccess.requireOwn(root + "/inner", setting: "DIR", in: .production)
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: root)
            #expect(throws: SettingsError.self) {
                try FileAccess.requireOwn(root + "/inner", setting: "DIR", in: .development)
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func `a folder that was given to another user is refused`() throws {
        try inFolder { root in
            #expect(unsafe chown(root + "/inner", 1001, 1001) == 0)
            let error = #expect(throws: SettingsError.self) {
                try FileAccess.requireOwn(root + "/inner", setting: "DIR", in: .development)
            }
            #expect(error?.description.contains("1001") == true)
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import CopyTargets

@Suite struct DirectoryTargetTests {
    @Test func `a folder keeps the contract of targets`() async throws {
        try await withScratchFolder { scratch in
            let target = try CopyTargetAddress("\(scratch)/data").open(CopyCredentials(s3: nil))
            try await checkContract(of: target, in: scratch)
            // Opened again, it is the same target.
            let again = try CopyTargetAddress("\(scratch)/data").open(CopyCredentials(s3: nil), mayMark: false)
            try await Files(target: again, folder: scratch).put(3, as: "three")
            try await Files(target: target, folder: scratch).expectSame("three")
        }
    }

    @Test func `stored files and folders are private`() async throws {
        try await withScratchFolder { scratch in
            let target = DirectoryTarget("\(scratch)/data")
            try await Files(target: target, folder: scratch).put(3, as: "a/three")
            for (path, mode) in [("a", 0o700), ("a/three", 0o600), ("LATCHKEY-COPY", 0o600)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(scratch)/data/\(path)")
                #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
            }
        }
    }

    @Test func `a folder without a marker is a target only if it is empty and new`() async throws {
        try await withScratchFolder { scratch in
            await expectFailure(.missing) { _ = try await DirectoryTarget("\(scratch)/data", mayMark: false).list("") }
            await expectFailure(.missing) { _ = try await DirectoryTarget("\(scratch)/none").list("") }
            // Its parent has another entry.
            await expectFailure(.missing) { _ = try await DirectoryTarget(scratch).list("") }
            let entries = try FileManager.default.contentsOfDirectory(atPath: scratch)
            #expect(entries == ["data"])
        }
    }

    @Test func `a folder whose disk is another one is refused`() async throws {
        try await withScratchFolder { scratch in
            let (folder, manager) = ("\(scratch)/data", FileManager.default)
            let target = DirectoryTarget(folder)
            let files = Files(target: target, folder: scratch)
            try await files.put(3, as: "three")
            try manager.moveItem(atPath: folder, toPath: "\(scratch)/unmounted")
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
            await expectFailure(.missing) { try await files.put(3, as: "three") }
            await expectFailure(.missing) { _ = try await target.list("") }
            await expectFailure(.missing) { try await target.remove(["three"]) }
            #expect(try manager.contentsOfDirectory(atPath: folder).isEmpty)
            // Another target's folder in its place.
            _ = try await DirectoryTarget(folder).list("")
            await expectFailure(.missing) { try await files.put(3, as: "three") }
            #expect(try manager.contentsOfDirectory(atPath: folder) == ["LATCHKEY-COPY"])
        }
    }

    @Test(.enabled(if: Disk.obstacle == nil, "SKIPPED: a disk of its own needs the right to mount one"))
    func `a full disk keeps the earlier file, and no part of the new one`() async throws {
        try await withScratchFolder { scratch in
            try await Disk.with(megabytes: 1, at: "\(scratch)/data") { folder in
                let target = DirectoryTarget(folder)
                let files = Files(target: target, folder: scratch)
                try await files.put(300_000, as: "copy")
                let earlier = FileManager.default.contents(atPath: "\(folder)/copy")
                await expectFailure(.full) { try await files.put(2_000_000, as: "copy") }
                #expect(FileManager.default.contents(atPath: "\(folder)/copy") == earlier)
                #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == ["LATCHKEY-COPY", "copy"])
                try await files.put(400_000, as: "copy")
                try await files.expectSame("copy")
            }
        }
    }

    @Test func `what others left in the folder is no file of the target`() async throws {
        try await withScratchFolder { scratch in
            let (folder, manager) = ("\(scratch)/data", FileManager.default)
            let target = DirectoryTarget(folder)
            try await Files(target: target, folder: scratch).put(3, as: "three")
            try Data("x".utf8).write(to: URL(filePath: folder + "/four~part"))
            try Data("x".utf8).write(to: URL(filePath: folder + "/README.TXT"))
            try manager.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/etc/passwd")
            try manager.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: folder)
            try await Files(target: target, folder: scratch).expect([("three", 3)], under: "")
        }
    }
}

/// A small disk in memory.
enum Disk {
    static var obstacle: String? { PostgreSQLServer.diskObstacle }

    static func with<Value>(
        megabytes: Int, at folder: String, _ body: (String) async throws -> Value
    ) async throws -> Value {
        let mount = try await Shell.run("mount -t tmpfs -o size=\(megabytes)m tmpfs '\(folder)'", in: "/")
        try #require(mount.isSuccess, "\(mount.output)")
        do {
            let value = try await body(folder)
            _ = try await Shell.run("umount '\(folder)'", in: "/")
            return value
        } catch {
            _ = try await Shell.run("umount '\(folder)'", in: "/")
            throw error
        }
    }
}

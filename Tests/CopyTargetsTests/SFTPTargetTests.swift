import Foundation
import ServiceKit
import TestSupport
import Testing

@testable import CopyTargets

@Suite(.enabled(if: SSHServer.isInstalled, SSHServer.absence), .timeLimit(.minutes(5)))
struct SFTPTargetTests {
    /// Runs `body` with a server, the folder of a target, and a folder for local files.
    private func withServer(_ body: (SSHServer, String, String) async throws -> Void) async throws {
        try await withScratchFolder { scratch in
            try await SSHServer.with(in: scratch) { server in try await body(server, "\(scratch)/data", scratch) }
        }
    }

    @Test func `a folder on an SFTP server keeps the contract of targets`() async throws {
        try await withServer { server, folder, scratch in
            try await checkContract(of: server.target(folder), in: scratch)
        }
    }

    @Test func `stored files are private, and nothing else is left`() async throws {
        try await withServer { server, folder, scratch in
            let files = Files(target: try server.target(folder), folder: scratch)
            try await files.put(70_000, as: "a/b")
            try await files.put(80_000, as: "a/b")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a") == ["b"])
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/a/b")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a changed host key ends the connection, and is named`() async throws {
        try await withServer { server, folder, scratch in
            let files = Files(
                target: try server.target(folder, pin: try await server.fingerprint(of: "other")), folder: scratch)
            let words = await expectFailure(.wrongHostKey) { try await files.put(10, as: "ten") }
            #expect(words.contains(server.fingerprint))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func `a key that the server does not know is refused`() async throws {
        try await withServer { server, folder, _ in
            for key in ["stranger", "none"] {
                await expectFailure(.refused) { _ = try await server.target(folder, key: key).list("") }
            }
        }
    }

    @Test func `a revoked key is refused by the next connection`() async throws {
        try await withServer { server, folder, scratch in
            try await Files(target: try server.target(folder), folder: scratch).put(10, as: "ten")
            try Data().write(to: URL(filePath: server.folder + "/authorized"))
            await expectFailure(.refused) { _ = try await server.target(folder).list("") }
        }
    }

    @Test func `a missing folder is not made`() async throws {
        try await withServer { server, folder, scratch in
            let files = Files(target: try server.target(folder + "/none"), folder: scratch)
            await expectFailure(.missing) { try await files.put(10, as: "ten") }
            await expectFailure(.missing) { try await files.put(10, as: "a/ten") }
            await expectFailure(.missing) { try await files.expect([], under: "") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test(.enabled(if: Disk.obstacle == nil, "SKIPPED: a disk of its own needs the right to mount one"))
    func `a full disk keeps the earlier file, and no part of the new one`() async throws {
        try await withServer { server, folder, scratch in
            try await Disk.with(megabytes: 1, at: folder) { folder in
                let files = Files(target: try server.target(folder), folder: scratch)
                try await files.put(300_000, as: "copy")
                let earlier = FileManager.default.contents(atPath: "\(folder)/copy")
                await expectFailure(.full) { try await files.put(2_000_000, as: "copy") }
                #expect(FileManager.default.contents(atPath: "\(folder)/copy") == earlier)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["copy"])
                try await files.put(300_000, as: "copy")
                try await files.expectSame("copy")
            }
        }
    }

    @Test func `a frozen server is too slow, also while the connection ends`() async throws {
        try await withServer { server, folder, scratch in
            try await withFaultProxy(toward: server.port) { proxy in
                try await promptly("requests to a frozen server") {
                    let target = try server.target(folder, port: proxy.port, limits: .short)
                    let files = Files(target: target, folder: scratch)
                    try await files.put(10, as: "ten")
                    proxy.swallow()
                    await expectFailure(.tooSlow) { try await files.put(3_000_000, as: "large") }
                    await expectFailure(.tooSlow) { try await files.expectSame("ten") }
                    proxy.release()
                    try await files.expectSame("ten")
                    // The target's connections end while the server is frozen.
                    proxy.swallow()
                }
            }
        }
    }

    @Test func `a cancelled transfer ends in seconds`() async throws {
        try await withServer { server, folder, scratch in
            try await withFaultProxy(toward: server.port) { proxy in
                let files = Files(target: try server.target(folder, port: proxy.port), folder: scratch)
                try await files.put(10, as: "ten")
                proxy.swallow()
                let start = ContinuousClock.now
                let put = Task { try await files.put(3_000_000, as: "large") }
                try await Task.sleep(for: .milliseconds(300))
                put.cancel()
                await expectFailure(.unreachable) { try await put.value }
                #expect(ContinuousClock.now - start < .seconds(5))
            }
        }
    }

    @Test func `a connection that breaks leaves the earlier file`() async throws {
        try await withServer { server, folder, scratch in
            try await withFaultProxy(toward: server.port) { proxy in
                let files = Files(target: try server.target(folder, port: proxy.port), folder: scratch)
                try await files.put(10, as: "ten")
                proxy.delay(.milliseconds(20))
                let earlier = FileManager.default.contents(atPath: "\(folder)/ten")
                let put = Task { try await files.put(20_000_000, as: "ten") }
                try await eventually("a part is there") { FileManager.default.fileExists(atPath: folder + "/ten~part") }
                proxy.reset()
                await expectFailure(.unreachable) { try await put.value }
                #expect(FileManager.default.contents(atPath: "\(folder)/ten") == earlier)
                try await files.expect([("ten", 10)], under: "")
                try await files.put(20, as: "ten")
                try await files.expectSame("ten")
            }
        }
    }

    @Test func `no server is unreachable`() async throws {
        try await withServer { server, folder, _ in
            let target = try server.target(folder, port: try await FreePort.find())
            await expectFailure(.unreachable) { _ = try await target.list("") }
        }
    }

    @Test func `a file whose replacement was interrupted is the newer one`() async throws {
        try await withServer { server, folder, scratch in
            let (files, manager) = (Files(target: try server.target(folder), folder: scratch), FileManager.default)
            try await files.put(20, as: "both")
            try manager.moveItem(atPath: folder + "/both", toPath: folder + "/both~new")
            try await files.expect([("both", 20)], under: "")
            try await files.expectSame("both")
            // The next put begins with the repair, and an unfinished part does not count.
            try manager.moveItem(atPath: folder + "/both~new", toPath: folder + "/both")
            try Data("new".utf8).write(to: URL(filePath: folder + "/both~new"))
            try Data("part".utf8).write(to: URL(filePath: folder + "/both~part"))
            try await files.expect([("both", 20)], under: "")
            try await files.expectSame("both")
            try await files.put(30, as: "both")
            #expect(try manager.contentsOfDirectory(atPath: folder) == ["both"])
            try manager.moveItem(atPath: folder + "/both", toPath: folder + "/both~new")
            try await files.target.remove(["both"])
            #expect(try manager.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test(arguments: [nil, "", "MD5:00", "SHA256:", "SHA256:" + String(repeating: "é", count: 43)])
    func `a target without a valid fingerprint is refused`(pin: String?) throws {
        let credentials = CopyCredentials(s3: nil, sftpKeyFile: "/none", sftpHostKey: pin)
        let address = try CopyTargetAddress("sftp://copy@files.example/srv")
        #expect(throws: SettingsError.self) { try address.open(credentials) }
    }

    @Test func `a listing in the form of ls is read`() {
        let listing = """
            drwxr-xr-x    2 root     root         4096 Nov 30 07:35 .
            drwxr-xr-x    2 copy     Domain Users 4096 Nov 30  2025 tokens
            -rw-------    1 copy     Domain Users   12 Nov 30  2025 manifest
            -rw-------    1 copy     copy           13 Nov 30 07:35 two words
            lrwxrwxrwx    1 copy     copy           13 Nov 30 07:35 link
            -rw-------    1 copy     copy           -1 Nov 30 07:35
            nonsense
            """
        #expect(
            SFTPListing.entries(Array(listing.utf8), newSuffix: "~new") == [
                .folder("."), .folder("tokens"), .file("manifest", bytes: 12),
            ])
    }
}

import FoundationEssentials
import Glibc

/// A disk of its own for the databases of a stack: ext4 on an image in memory, whose power can be cut (security guide
/// section 6). What was not synced is gone then; what was is there.
package struct PowerDisk: Sendable {
    /// Why there can be no such disk on this machine.
    package struct Impossible: Error, CustomStringConvertible { package let description: String }

    /// The services whose databases lie on it.
    static let users = ["token", "user"]
    private static let databases = ["tokens.sqlite", "users.sqlite"]
    private static let megabytes = 256
    /// `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`: from now on nothing is written, not even the journal.
    private static let shutdown: UInt = 0x8004_587D
    private static let withoutJournal: UInt32 = 2

    /// Mount point.
    private let folder: String
    private let image: String

    /// The reason why this machine cannot have such a disk; `nil` if it can.
    package static var obstacle: String? {
        if geteuid() != 0 { return "a disk that loses power needs root" }
        guard FileManager.default.fileExists(atPath: "/dev/loop-control") else { return "there are no loop devices" }
        return nil
    }

    /// Runs `body` with a new disk, and removes it on every path.
    package static func run<Value: Sendable>(_ body: (PowerDisk) async throws -> Value) async throws -> Value {
        if let obstacle { throw Impossible(description: obstacle) }
        let memory = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm/" : "/tmp/"
        let name = "latchkey-power-\(UUID().uuidString)"
        let disk = PowerDisk(
            folder: FileManager.default.temporaryDirectory.path(percentEncoded: false) + name,
            image: memory + name)
        do {
            try await shell(
                "truncate -s \(megabytes)M '\(disk.image)' && mkfs.ext4 -q '\(disk.image)' && mkdir -p '\(disk.folder)'"
                    + " && mount -o loop '\(disk.image)' '\(disk.folder)'")
            let value = try await body(disk)
            try await disk.remove()
            return value
        } catch {
            try await disk.remove()
            throw error
        }
    }

    /// Has the databases of a data directory lie on the disk.
    package func take(_ dataDirectory: String) throws {
        for name in Self.databases {
            try FileManager.default.createSymbolicLink(
                atPath: dataDirectory + "/" + name, withDestinationPath: folder + "/" + name)
        }
    }

    /// Ends all writing at once; what the file system holds in memory never reaches the disk.
    func cut() throws {
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY)
        guard directory >= 0 else { throw Impossible(description: "\(folder) cannot be opened") }
        defer { close(directory) }
        var flags = Self.withoutJournal
        guard unsafe ioctl(directory, Self.shutdown, &flags) == 0 else {
            throw Impossible(description: "the file system cannot be shut down: errno \(errno)")
        }
    }

    /// Brings the disk back as it is after the power does, once those that used it are gone.
    func restore() async throws {
        try await eventually("nobody uses the disk") { try await Shell.run("umount '\(folder)'", in: "/").isSuccess }
        try await Self.shell("mount -o loop '\(image)' '\(folder)'")
    }

    private func remove() async throws {
        try await Self.shell(
            "if mountpoint -q '\(folder)'; then umount -l '\(folder)'; fi; rm -f '\(image)'; rmdir '\(folder)'")
    }

    private static func shell(_ script: String) async throws {
        let outcome = try await Shell.run(script, in: "/")
        guard outcome.isSuccess else { throw Impossible(description: "\(script): \(outcome.output)") }
    }
}

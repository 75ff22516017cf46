import FoundationEssentials
import Glibc

/// A small disk of the server's own, which a test fills.
extension PostgreSQLServer {
    /// The reason why this machine cannot have such a disk; `nil` if it can.
    package static var diskObstacle: String? {
        let contents = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let status = String(decoding: contents, as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let rights = line.flatMap { UInt64($0.dropFirst(7).filter(\.isHexDigit), radix: 16) } ?? 0
        // CAP_SYS_ADMIN, which mounts.
        return rights & 1 << 21 == 0 ? "a disk of its own needs the right to mount one" : nil
    }

    /// Leaves no byte free on the disk, neither for tables nor for the write-ahead log.
    package func fillDisk() async throws {
        // Until the disk is full; what the server frees meanwhile is taken too.
        try await onDisk(
            "for _ in 1 2 3; do dd if=/dev/zero bs=64k oflag=append conv=notrunc of=filler 2>/dev/null; done; true")
    }

    /// Frees what `fillDisk` took.
    package func emptyDisk() async throws { try await onDisk("rm -f filler") }

    /// Makes the disk, before there is a cluster.
    func mount(megabytes: Int) async throws {
        if let obstacle = Self.diskObstacle { throw Problem.refused(obstacle) }
        try FileManager.default.createDirectory(atPath: directory + "/data", withIntermediateDirectories: true)
        let owner = "uid=$(id -u postgres),gid=$(id -g postgres)"
        try await onDisk("mount -t tmpfs -o size=\(megabytes)m,mode=700,\(owner) tmpfs .")
    }

    private func onDisk(_ script: String) async throws {
        let outcome = try await Shell.run(script, in: directory + "/data")
        guard outcome.isSuccess else { throw Problem.refused(outcome.output) }
    }
}

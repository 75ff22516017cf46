package import CopyTargets
import Glibc
import PrivateFiles

/// Rebuilds databases from the points at a target. Nothing at the target is believed before its seal and its digest are checked.
package struct CopyReplay {
    private static let manifestBytesMax = 256 << 20

    let target: any CopyTarget
    let seal: CopySeal
    private let spool: CopySpool

    /// - Parameter folder: A private folder with room for the largest part.
    package init(target: any CopyTarget, seal: CopySeal, folder: String) {
        (self.target, self.seal, spool) = (target, seal, CopySpool(folder: folder))
    }

    /// The points from a whole copy to the one that is restored.
    package struct Chain: Sendable {
        let manifests: [CopyManifest]
        /// Whether the clock of the copier went back at the restored point.
        package var isClockInDoubt: Bool { manifests.last?.isClockInDoubt ?? false }
    }

    /// Reads the manifests that lead to a point.
    package func chain(to point: CopyPointName) async throws(CopyFailure) -> Chain {
        var manifests: [CopyManifest] = []
        var (name, file): (CopyPointName, CopyManifest.File?) = (point, nil)
        while true {
            let manifest = try CopyManifest.read(try await open(name.text, file), as: name)
            manifests.append(manifest)
            guard let previous = manifest.previous else { break }
            guard let earlier = CopyPointName(previous.name), earlier.sequence < name.sequence else {
                throw CopyFailure(.damaged, "\(name.text) does not continue an earlier point")
            }
            (name, file) = (earlier, previous)
        }
        return Chain(manifests: manifests.reversed())
    }

    /// Writes a database as of the last point of a chain to a new file.
    package func rebuild(_ database: String, from chain: Chain, at path: String) async throws(CopyFailure) {
        let steps = chain.manifests.compactMap { $0.databases.first { $0.name == database } }
        guard steps.count == chain.manifests.count, let last = steps.last else {
            throw CopyFailure(.damaged, "\(database) is not in the copy")
        }
        do { try PrivateFile.create(path) } catch { throw CopyFailure(any: error) }
        let output = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw Self.noRoom(path) }
        defer { close(output) }
        for step in steps {
            guard step.pageBytes == last.pageBytes else { throw CopyFailure(.damaged, "\(database): other pages") }
            for part in step.parts {
                let bytes = try await open(part.name, part)
                try CopyPart.forEach(in: bytes, pageBytes: step.pageBytes) { page, bytes throws(CopyFailure) in
                    try Self.write(bytes, at: Int64(page - 1) * Int64(step.pageBytes), to: output, path)
                }
            }
        }
        guard ftruncate(output, off_t(last.pageCount) * off_t(last.pageBytes)) == 0 else {
            throw Self.noRoom(path)
        }
    }

    /// Returns the contents of a stored file, which has to be the one that `expected` describes.
    private func open(_ name: String, _ expected: CopyManifest.File?) async throws(CopyFailure) -> [UInt8] {
        do {
            let sealed = try await spool.get(name, bytesMax: expected?.bytes ?? Self.manifestBytesMax, from: target)
            if let expected, CopySpool.file(name, sealed) != expected {
                throw CopyFailure(.damaged, "\(name) is not the file that was stored: its SHA-256 differs")
            }
            return try seal.open(sealed, as: name)
        } catch { throw CopyFailure(any: error) }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, at offset: Int64, to file: Int32, _ path: String
    ) throws(CopyFailure) {
        let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
        guard written == bytes.count else { throw noRoom(path, code: written < 0 ? errno : ENOSPC) }
    }

    private static func noRoom(_ path: String, code: Int32 = errno) -> CopyFailure {
        CopyFailure(.noRoom, "cannot write \(path): \(unsafe String(cString: strerror(code)))")
    }
}

import FoundationEssentials

/// The contents of a point; stored last, so that all its parts are at the target.
package struct CopyManifest: Codable, Sendable, Equatable {
    static let currentFormat = 1

    /// A file at the target.
    package struct File: Codable, Sendable, Equatable {
        let name: String
        let bytes: Int
        /// In hex.
        let sha256: String
    }

    /// The parts that bring a database from the previous point to this one. Later parts replace pages of earlier ones.
    package struct Database: Codable, Sendable, Equatable {
        let name: String
        let pageBytes: Int
        let pageCount: UInt32
        let parts: [File]
    }

    let format: Int
    let sequence: Int64
    /// Unix time in seconds; all changes that were committed before it began are in the point.
    let time: Int64
    /// Whether the clock was behind that of an earlier point.
    let isClockInDoubt: Bool
    /// The manifest of the point before, as it is at the target; `nil` in a whole copy.
    let previous: File?
    let databases: [Database]

    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return Array(try encoder.encode(self))
        }
    }

    /// Reads a manifest that was stored under a name.
    static func read(_ bytes: [UInt8], as name: CopyPointName) throws(CopyFailure) -> CopyManifest {
        let manifest: CopyManifest
        do { manifest = try JSONDecoder().decode(Self.self, from: Data(bytes)) } catch {
            throw CopyFailure(.damaged, "\(name.text) is no manifest that this release knows")
        }
        guard manifest.format == currentFormat, manifest.sequence == name.sequence,
            manifest.time == name.time, (manifest.previous == nil) == name.isWhole
        else { throw CopyFailure(.damaged, "\(name.text) is no manifest that this release knows") }
        return manifest
    }
}

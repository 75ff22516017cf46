import CryptoPrimitives
import FoundationEssentials
package import PrivateFiles

/// The copier's own record, `copier.json` in the data folder: its id, its newest point, and its newest failure.
package struct CopierState: Codable, Sendable, Equatable {
    package static let fileName = "copier.json"
    private static let bytesMax = 65_536
    private static let idBytes = 16

    /// A random id in hex, which marks, parts and the target carry.
    let id: String
    /// The address of the target. It contains no secret.
    package var target: String
    /// The newest point at the target, as its manifest is stored there.
    var point: CopyManifest.File?
    /// A manifest that was sent, but perhaps not stored.
    var attempt: CopyManifest.File?
    /// The bytes of the attempt's parts.
    var attemptBytes = 0
    /// The highest sequence that was used.
    var sequence: Int64 = 0
    /// Unix time in seconds until which all changes are at the target; 0 before the first copy.
    package var copiedAt: Int64 = 0
    /// The latest time of any point.
    var latestTime: Int64 = 0
    /// Unix time in seconds of the newest whole copy, and the bytes that it and the points after it have.
    var wholeAt: Int64 = 0
    var wholeBytes = 0
    var laterBytes = 0
    /// The number of points after the newest whole copy.
    var laterPoints = 0
    /// The failure that lasts; `nil` if the last turn succeeded.
    package var failure: Failure?

    package struct Failure: Codable, Sendable, Equatable {
        package let reason: CopyFailure.Reason
        package let detail: String
        /// Unix time in seconds.
        package let since: Int64
    }

    /// Whether a point was sent to a target.
    package var hasCopied: Bool { sequence > 0 }

    /// Unix time in seconds of the newest point.
    var pointTime: Int64? { point.flatMap { CopyPointName($0.name) }?.time }

    /// The id as bytes.
    var idBytes: [UInt8] { Hex.decode(id) ?? [] }

    init(target: String, id: [UInt8] = SecureRandom.bytes(idBytes)) {
        (self.id, self.target) = (Hex.encode(id), target)
    }

    /// Notes that the attempt is stored as a point.
    mutating func settle(_ name: CopyPointName) {
        (point, attempt) = (attempt, nil)
        sequence = max(sequence, name.sequence)
        latestTime = max(latestTime, name.time)
        guard name.isWhole else {
            laterBytes += attemptBytes
            laterPoints += 1
            return
        }
        (wholeAt, wholeBytes, laterBytes, laterPoints) = (name.time, attemptBytes, 0, 0)
    }

    /// Reads the record in a folder.
    ///
    /// - Returns: `nil` if there is none, or none that can be used.
    package static func read(in folder: String) throws(FileFailure) -> CopierState? {
        let path = folder + "/" + fileName
        guard PrivateFile.exists(path) else { return nil }
        let bytes = try PrivateFile.bytes(path, max: bytesMax)
        do {
            let state = try JSONDecoder().decode(Self.self, from: Data(bytes))
            return state.idBytes.count == idBytes ? state : nil
        } catch { return nil }
    }

    /// Writes the record durably.
    func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try PrivateFile.write(Array(try encoder.encode(self)), to: folder + "/" + Self.fileName)
    }
}

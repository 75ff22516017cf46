/// A place outside this host that stores copies of the databases.
package protocol CopyTarget: Sendable {
    /// Stores the whole file at a local path under a name, in place of an earlier one; if it fails, the earlier file stays.
    ///
    /// The stored size is compared with the file's afterwards. A file has at most `CopyTargetFile.bytesMax` bytes.
    func put(_ path: String, as name: String) async throws(CopyTargetFailure)
    /// Writes a stored file of at most `bytesMax` bytes to a new local file of mode 0600. If it fails, there is no such file.
    func get(_ name: String, to path: String, bytesMax: Int) async throws(CopyTargetFailure)
    /// Returns all stored files whose names begin with a prefix, in the order of their names.
    func list(_ prefix: String) async throws(CopyTargetFailure) -> [CopyTargetFile]
    /// Removes files. A missing file is no failure.
    func remove(_ names: [String]) async throws(CopyTargetFailure)
}

/// A file at a target.
package struct CopyTargetFile: Sendable, Equatable {
    /// The largest file that a target stores: S3's limit for one `PUT`.
    package static let bytesMax = 5 << 30
    /// The most files that a listing returns; a target with more is refused.
    package static let countMax = 500_000

    package let name: String
    package let bytes: Int

    package init(name: String, bytes: Int) { (self.name, self.bytes) = (name, bytes) }

    /// Whether a target can store a file under a name: 1 to 200 bytes of `[a-z0-9._/-]`, without empty parts, `.` and `..`.
    package static func isName(_ text: String) -> Bool {
        // "-", ".", "/" and the digits follow each other.
        let ranges = [UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-")...UInt8(ascii: "9")]
        let isAllowed = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || ranges.contains { $0.contains(byte) }
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return isAllowed && text.utf8.count <= nameBytesMax && parts.allSatisfy { !["", ".", ".."].contains($0) }
    }

    private static let nameBytesMax = 200

    static func checked(_ name: String) throws(CopyTargetFailure) -> String {
        guard isName(name) else {
            throw CopyTargetFailure(.unexpected, "a copy cannot have the name \(name.debugDescription)")
        }
        return name
    }
}

/// The reason why a target did not do what was requested.
package struct CopyTargetFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: String, Sendable, CaseIterable {
        /// No connection, a connection that broke, or a server that has no time. A later try may succeed.
        case unreachable
        /// Less than 1 KB in a second for 30 s, or nothing for 10 s.
        case tooSlow
        /// The target does not accept the credentials, or does not allow the operation to them.
        case refused
        /// The target has no room.
        case full
        /// The file, the folder or the bucket does not exist, or the folder's disk is not mounted.
        case missing
        /// The server's host key is not the one that is pinned, or its certificate is not trusted.
        case wrongHostKey
        case unexpected
    }

    package let reason: Reason
    /// A short sentence for the operator, without secrets.
    package let detail: String

    package init(_ reason: Reason, _ detail: String) { (self.reason, self.detail) = (reason, detail) }

    package var description: String { "\(reason.rawValue): \(detail)" }
}

import CopyTargets
import PrivateFiles
import SQLiteStore
import Storage

/// The reason why a copy was not made or cannot be restored. The text is for the operator and contains no secret.
package struct CopyFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: String, Sendable, Codable {
        case unreachable, tooSlow, refused, full, missing, wrongHostKey, unexpected
        /// A file at the target was sealed with another key, or the key file cannot be used.
        case wrongKey
        /// A file at the target is not the one that was stored.
        case damaged
        /// The target or a database belongs to another copier.
        case otherCopier
        /// This host has no room for a part.
        case noRoom
        /// A database cannot be read.
        case database
        /// No service has written to a database yet.
        case notStarted
    }

    package let reason: Reason
    package let detail: String

    package init(_ reason: Reason, _ detail: String) { (self.reason, self.detail) = (reason, detail) }

    init(_ failure: CopyTargetFailure) {
        self.init(Reason(rawValue: failure.reason.rawValue) ?? .unexpected, failure.detail)
    }

    /// The failure of reading databases or writing to this host.
    package init(any error: any Error) {
        switch error {
        case let failure as CopyFailure: self = failure
        case let failure as CopyTargetFailure: self.init(failure)
        case let failure as FileFailure: self.init(.noRoom, failure.description)
        case let error as PageSource.OtherCopier: self.init(.otherCopier, error.description)
        case let error as StorageError: self.init(.database, error.message)
        default: self.init(.database, "\(error)")
        }
    }

    package var description: String { detail }
}

import GRDB
import Storage

extension StorageError {
    /// Converts `error`: returns a `StorageError` unchanged, and translates errors of the layers below.
    init(_ error: any Error) {
        switch error {
        case let known as StorageError: self = known
        case let below as DatabaseError: self.init(Self.code(of: below.resultCode), below.message ?? "no message")
        default: self.init(.other, String(describing: type(of: error)))
        }
    }

    private static func code(of result: ResultCode) -> Code {
        switch result {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        case .SQLITE_FULL: .full
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: .io
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
        case .SQLITE_CONSTRAINT: .constraint
        default: .other
        }
    }
}

internal import GRDB

/// Why the store could not do what it was asked; nothing was changed.
package struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of fault that callers and metrics tell apart.
    package enum Code: String, Sendable, CaseIterable {
        /// Another process held the file for longer than `SQLiteLimits.busyWaitSeconds`.
        case busy
        /// Whoever called had given up before the write could begin.
        case late
        /// The disk, or the database's own limit, is full.
        case full
        /// The operating system refused a read, a write or a sync.
        case io
        /// The file is no intact database, or the one that should be there is gone.
        case corrupt
        /// The file or its folder may not be written.
        case readOnly
        /// More writes wait than the queue holds.
        case queueFull
        /// A row contradicts a constraint of the schema.
        case constraint
        /// Anything else; the message says what.
        case other
    }

    package let code: Code
    /// For the log; SQLite's own words, never values.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code.rawValue): \(message)" }

    /// `error` as the store tells it: itself when it is one of ours, translated when it comes from below.
    init(_ error: any Error) {
        switch error {
        case let known as SQLiteError: self = known
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

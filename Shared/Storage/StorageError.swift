/// Why a database operation failed, independent of the engine; nothing was changed, unless the code is `unknown`.
package struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure that callers and metrics distinguish.
    package enum Code: String, Sendable, CaseIterable {
        /// Another process kept the data locked for too long, or changed it again and again.
        case busy
        /// The caller had stopped waiting before the write could begin.
        case late
        /// The disk, or the database's own limit, is full.
        case full
        /// The operating system refused a read, a write or a sync.
        case io
        /// The file is not an intact database, or the expected file is missing.
        case corrupt
        /// The database or its folder is not writable.
        case readOnly
        /// The write queue is full.
        case queueFull
        /// A row violates a constraint of the schema.
        case constraint
        /// The connection broke during the commit: the change may be durable or not. A repeat of the call finds out.
        case unknown
        /// The schema is not one that this release can use; the message states what to run.
        case schema
        /// Any other failure, described by the message.
        case other
    }

    package let code: Code
    /// The engine's own message, for the log; contains no values.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code.rawValue): \(message)" }
}

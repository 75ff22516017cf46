/// Why a database could not do what it was asked, whatever its engine; nothing was changed.
package struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of fault that callers and metrics tell apart.
    package enum Code: String, Sendable, CaseIterable {
        /// Somebody else held what was to be changed for too long, or changed it again and again.
        case busy
        /// Whoever called had given up before the write could begin.
        case late
        /// The disk, or the database's own limit, is full.
        case full
        /// The operating system refused a read, a write or a sync.
        case io
        /// What is stored is no intact database, or the one that should be there is gone.
        case corrupt
        /// The database or its place may not be written.
        case readOnly
        /// More writes wait than the queue holds.
        case queueFull
        /// A row contradicts a constraint of the schema.
        case constraint
        /// Anything else; the message says what.
        case other
    }

    package let code: Code
    /// For the log; the engine's own words, never values.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code.rawValue): \(message)" }
}

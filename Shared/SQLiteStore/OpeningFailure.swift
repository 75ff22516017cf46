import Storage

/// A database file that a process cannot use at its start.
struct OpeningFailure: Error, CustomStringConvertible {
    private let path: String
    private let cause: StorageError

    init(_ path: String, _ cause: StorageError) {
        self.path = path
        self.cause = cause
    }

    var description: String {
        let advice =
            switch cause.code {
            case .corrupt: " deploy/docs/run/backup.md says how to restore it."
            case .full: " Free some space on its disk."
            case .busy: " Another process is using the file. Wait until it exits."
            case .io, .readOnly: " Check the folder LATCHKEY_DATA_DIR, its disk and its owner."
            case .late, .queueFull, .constraint, .unknown, .schema, .other: ""
            }
        return "the database \(path) cannot be opened: \(cause.message).\(advice)"
    }
}

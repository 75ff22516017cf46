import Storage

/// Why a statement or a connection failed, as this layer distinguishes it; callers get it as `StorageError`.
struct PostgreSQLError: Error, Equatable {
    enum Kind: Equatable {
        /// The server refused a statement, with its SQLSTATE. The connection is usable.
        case refused(String)
        /// The connection is broken, or could not be made.
        case lost
        /// The server sent nothing for too long, so that the connection was closed.
        case timedOut
        /// The connection broke while COMMIT was on its way, or the server did not wait for a standby.
        case unknown
    }

    let kind: Kind
    /// The message, without values, as one line for the log.
    let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = Self.oneLine(message)
    }

    /// Joins the lines of libpq's messages, which are indented by tabs.
    private static func oneLine(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline).map { line in
            line.split { $0.isWhitespace || $0.isASCII && $0 < " " }.joined(separator: " ")
        }.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Whether nothing was committed and the same transaction can succeed on another connection or at another time.
    var mayBeRetried: Bool {
        switch kind {
        case .lost: true
        // Deadlock, serialisation, and a primary that has become a standby.
        case .refused(let state): ["40P01", "40001", "25006"].contains(state)
        case .timedOut, .unknown: false
        }
    }

    /// Whether the connection can be used again.
    var keepsConnection: Bool {
        if case .refused(let state) = kind { state != "25006" } else { false }
    }

    /// Whether one item of a group may be the cause.
    var isOfStatement: Bool { if case .refused = kind { true } else { false } }
}

extension StorageError {
    /// Runs `body` and converts its error.
    static func converting<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
        do { return try body() } catch let error as PostgreSQLError {
            throw StorageError(error)
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.other, "\(error)")
        }
    }

    /// Converts an error of this layer to one that does not depend on the engine.
    init(_ error: PostgreSQLError) {
        let code: Code =
            switch error.kind {
            case .unknown: .unknown
            case .lost, .timedOut: .io
            case .refused(let state): Self.code(ofState: state)
            }
        self.init(code, error.message)
    }

    /// Converts the error of an operator's command, which gives up if a table of its schema is in use.
    init(_ error: PostgreSQLError, ofCommandOn schema: String) {
        guard error.kind == .refused("55P03") else {
            self.init(error)
            return
        }
        let seconds = PostgreSQLLimits.commandLockSeconds
        self.init(.busy, "a table of \(schema) was in use for \(seconds) s. Run it again")
    }

    private static func code(ofState state: String) -> Code {
        switch state {
        // Waits for locks, deadlocks, and a statement that took too long.
        case "55P03", "57014", "40P01", "40001", "53300": .busy
        case "53100", "53200": .full
        case "58030": .io
        case "25006": .readOnly
        case "XX001", "XX002": .corrupt
        default: state.hasPrefix("23") ? .constraint : .other
        }
    }
}

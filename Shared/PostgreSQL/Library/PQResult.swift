import CPostgreSQL

/// The result of one statement, freed with its last reference.
@safe final class PQResult {
    private let pq: PQLibrary
    private let result: OpaquePointer

    /// Takes over a result of libpq.
    init(_ result: OpaquePointer, _ pq: PQLibrary) {
        self.pq = pq
        unsafe self.result = result
    }

    deinit { unsafe pq.call.PQclear(result) }

    var status: ExecStatusType { unsafe pq.call.PQresultStatus(result) }
    var rowCount: Int { Int(unsafe pq.call.PQntuples(result)) }

    /// The statement's word, such as `COMMIT`; `ROLLBACK` is the reply to the COMMIT of a failed transaction.
    var command: String { unsafe pq.call.PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

    /// The number of rows that the statement changed.
    var changedCount: Int { unsafe pq.call.PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0 }

    /// The error in the result.
    var error: PostgreSQLError {
        let message = field("M") ?? "no message"
        let state = field("C") ?? ""
        // After these the server closes the connection.
        let isFatal = ["FATAL", "PANIC"].contains(field("V") ?? "")
        return PostgreSQLError(isFatal ? .lost : .refused(state), "\(message) (\(state))")
    }

    private func field(_ code: Unicode.Scalar) -> String? { unsafe pq.errorField(code, of: result) }

    /// Returns the number of a column's type in the server's catalogue.
    func typeNumber(column: Int) -> UInt32 { unsafe pq.call.PQftype(result, CInt(truncatingIfNeeded: column)) }

    /// Calls `body` with the bytes of a value; with `nil` for NULL.
    func value<Value>(row: Int, column: Int, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
        let (row, column) = (CInt(truncatingIfNeeded: row), CInt(truncatingIfNeeded: column))
        guard unsafe pq.call.PQgetisnull(result, row, column) == 0,
            let start = unsafe pq.call.PQgetvalue(result, row, column)
        else { return body(nil) }
        let count = Int(unsafe pq.call.PQgetlength(result, row, column))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }
}

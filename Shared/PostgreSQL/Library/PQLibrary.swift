import CPostgreSQL
import Storage

/// Debian's libpq, loaded on demand: a process whose database is a SQLite file does not map it.
///
/// Its functions may be called by any thread, for each connection by one thread at a time.
@safe struct PQLibrary: @unchecked Sendable {
    /// The library of this process, or `nil` if it is not installed.
    private static let loaded = unsafe latchkey_pq_load().map { unsafe PQLibrary(functions: $0) }

    private let functions: UnsafePointer<latchkey_pq>

    private init(functions: UnsafePointer<latchkey_pq>) { unsafe self.functions = functions }

    /// Returns the functions of the library, which is loaded by the first call.
    static func load() throws(StorageError) -> PQLibrary {
        guard let loaded else {
            throw StorageError(.other, "libpq.so.5 cannot be loaded. Install Debian's package libpq5")
        }
        return loaded
    }

    var call: latchkey_pq { unsafe functions.pointee }

    /// Returns a field of an error or a warning, by its letter in the protocol.
    func errorField(_ code: Unicode.Scalar, of result: OpaquePointer?) -> String? {
        unsafe call.PQresultErrorField(result, CInt(code.value)).map { unsafe String(cString: $0) }
    }
}

import CPostgreSQL
import Logging

/// The server's warnings on a connection, which are counted and logged while the connection's thread waits for the server.
@safe final class Notices {
    /// The function that libpq calls for each, with `context`.
    static var receiver: PQnoticeReceiver {
        { context, result in
            guard let context = unsafe context else { return }
            unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().receive(result)
        }
    }

    private(set) var count = 0
    private let pq: PQLibrary
    private let logger: Logger

    init(_ pq: PQLibrary, _ logger: Logger) { (self.pq, self.logger) = (pq, logger) }

    /// The address by which the function finds the instance; valid as long as the instance.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    private func receive(_ result: OpaquePointer?) {
        count += 1
        func field(_ code: Unicode.Scalar) -> String? { unsafe pq.errorField(code, of: result) }
        // The message without its details, which may contain values.
        let message = PostgreSQLError(.lost, field("M") ?? "no message").message
        logger.warning(
            "postgresql.notice",
            metadata: [
                "severity": "\(field("V") ?? field("S") ?? "")", "code": "\(field("C") ?? "")", "finding": "\(message)",
            ])
    }
}

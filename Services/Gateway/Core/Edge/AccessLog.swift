import EdgeHTTP
import Logging
import NIOCore

/// Logs finished requests with route, status, client and duration. A line has no path, query, field or body, since these may
/// contain secrets and phone numbers.
///
/// Only one in so many successful requests to the app's API is written. Every other request is.
struct AccessLog: Sendable {
    let logger: Logger

    func write(_ request: FinishedRequest) {
        guard Self.isWritten(request, oneIn: request.rules.accessLogOneIn) else { return }
        logger.info(
            "request",
            metadata: [
                "client.address": "\(request.rules.router.clientAddress(of: request.head))",
                "duration.microseconds": .stringConvertible(request.duration.nanoseconds / 1_000),
                "http.method": "\(request.head.method.rawValue)", "http.protocol": "\(request.head.version)",
                "http.route": "\(request.route.text)",
                "http.status": .stringConvertible(request.status), "request.id": "\(request.id.text)",
            ])
    }

    /// Whether a request is written. The random bits of its id decide, so that a request is in the logs of all services that sample
    /// in this way, or in none.
    static func isWritten(_ request: FinishedRequest, oneIn: Int64) -> Bool {
        // Load balancers check every second or two.
        guard request.route != .health || request.status >= 400 else { return false }
        guard request.route.isApp, (200..<400).contains(request.status) else { return true }
        return request.id.sample.isMultiple(of: UInt64(max(1, oneIn).magnitude))
    }
}

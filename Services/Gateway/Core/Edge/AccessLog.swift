import EdgeHTTP
import Logging
import NIOCore

/// One line for a request that is through: what, by whom and how long; no path, query, field or body, which may hold
/// secrets and numbers.
///
/// Of successful requests to the app's API only one in so many is written, of all others each.
struct AccessLog: Sendable {
    let logger: Logger
    let oneIn: Int64
    let router: any RequestRouter

    func write(_ request: FinishedRequest) {
        guard Self.isWritten(request, oneIn: oneIn) else { return }
        logger.info(
            "request",
            metadata: [
                "client.address": "\(router.clientAddress(of: request.head))",
                "duration.microseconds": "\(request.duration.nanoseconds / 1_000)",
                "http.method": "\(request.head.method.rawValue)", "http.route": "\(request.route.text)",
                "http.status": "\(request.status)", "request.id": "\(request.id.text)",
            ])
    }

    /// The id's random bits decide, so that a request is in the logs of all who sample in this way, or of none.
    static func isWritten(_ request: FinishedRequest, oneIn: Int64) -> Bool {
        // Load balancers look every second or two.
        guard request.route != .health || request.status >= 400 else { return false }
        guard request.route.isApp, (200..<400).contains(request.status) else { return true }
        return request.id.sample.isMultiple(of: UInt64(max(1, oneIn).magnitude))
    }
}

import AsyncHTTPClient
package import OutgoingConnections

extension ConnectionFailure {
    /// Reads an error of the HTTP client.
    ///
    /// - Parameter hasBegun: whether any of the request had been sent.
    package init(of error: any Error, hasBegun: Bool) {
        guard let own = error as? HTTPClientError else {
            self = Self(error, hasBegun: hasBegun) ?? .closed
            return
        }
        switch own {
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout: self = .connectTimedOut
        case .readTimeout, .writeTimeout, .deadlineExceeded, .cancelled:
            self = hasBegun ? .timedOut : .connectTimedOut
        default: self = .closed
        }
    }
}

import Glibc
import NIOCore

extension UpstreamConnection {
    /// Closes a connection that served one request without leaving its port in TIME_WAIT. With a new connection for each request,
    /// all ports would soon be waiting for their minute to pass.
    func closeWithoutRest() {
        if let options = channel as? any SocketOptionProvider {
            options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenFailure { _ in }
        }
        close()
    }
}

package import NIOCore
package import ServiceKit

/// A socket on which clients are accepted.
package struct EdgeListener: Sendable {
    let address: ListenAddress
    /// A socket that listens already, passed by a supervisor. If it is set, `address` is not bound.
    let inheritedSocket: NIOBSDSocket.Handle?

    package init(address: ListenAddress, inheritedSocket: NIOBSDSocket.Handle? = nil) {
        self.address = address
        self.inheritedSocket = inheritedSocket
    }
}

/// A socket on which clients use TLS.
package struct TLSListener: Sendable {
    let listener: EdgeListener
    let certificates: TLSCertificates

    package init(_ listener: EdgeListener, certificates: TLSCertificates) {
        self.listener = listener
        self.certificates = certificates
    }
}

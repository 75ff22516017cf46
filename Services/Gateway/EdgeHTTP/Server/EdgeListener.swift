package import NIOCore
package import ServiceKit

/// A socket on which clients are accepted.
package struct EdgeListener: Sendable {
    let address: ListenAddress
    /// One that listens already, handed over by a supervisor; then `address` is not bound.
    let inheritedSocket: NIOBSDSocket.Handle?

    package init(address: ListenAddress, inheritedSocket: NIOBSDSocket.Handle? = nil) {
        self.address = address
        self.inheritedSocket = inheritedSocket
    }
}

/// One on which they speak TLS.
package struct TLSListener: Sendable {
    let listener: EdgeListener
    let certificates: TLSCertificates

    package init(_ listener: EdgeListener, certificates: TLSCertificates) {
        self.listener = listener
        self.certificates = certificates
    }
}

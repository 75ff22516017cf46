import NIOSSL
import OutgoingConnections

/// The reason why TLS with an upstream failed after it accepted the connection.
enum UpstreamTLSFailure: Error, Hashable {
    /// The certificate cannot be verified.
    case certificate(CertificateFault)
    case timeout
    /// Any other failure, such as an upstream that uses plain HTTP, or has no version that is allowed.
    case handshakeFailed

    /// The word for it in metrics and log lines.
    var failure: ConnectionFailure {
        switch self {
        case .certificate: .untrustedCertificate
        case .timeout: .connectTimedOut
        case .handshakeFailed: .handshakeFailed
        }
    }

    /// The cause in detail, for log lines.
    var detail: String {
        switch self {
        case .certificate(let fault): fault.word
        case .timeout: "handshake_timeout"
        case .handshakeFailed: "handshake_failed"
        }
    }

    /// The fault of the certificate, if that is the cause.
    var certificate: CertificateFault? { if case .certificate(let fault) = self { fault } else { nil } }

    /// Reads the error of the library.
    ///
    /// - Parameter certificate: the certificate that the upstream presented, if it got that far.
    init(_ error: any Error, certificate: NIOSSLCertificate?) {
        let fault = CertificateFault(error, certificate: certificate)
        self = error as? UpstreamTLSFailure ?? fault.map { .certificate($0) } ?? .handshakeFailed
    }
}

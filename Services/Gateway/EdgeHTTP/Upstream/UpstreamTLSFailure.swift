import Glibc
import NIOSSL

/// The reason why TLS with an upstream failed after it accepted the connection.
enum UpstreamTLSFailure: Error, Hashable {
    case certificateExpired
    case certificateNotYetValid
    /// The certificate is valid, but for another name or IP address.
    case otherName
    /// The certificate is not signed by a trusted authority.
    case untrusted
    case timeout
    /// Any other failure, such as an upstream that uses plain HTTP, or has no version that is allowed.
    case handshakeFailed

    /// The label in metrics and log lines.
    var label: String {
        switch self {
        case .certificateExpired: "certificate_expired"
        case .certificateNotYetValid: "certificate_not_yet_valid"
        case .otherName: "other_name"
        case .untrusted: "untrusted"
        case .timeout: "timeout"
        case .handshakeFailed: "handshake_failed"
        }
    }

    /// Reads the error of the library.
    ///
    /// - Parameter certificate: the certificate that the upstream presented, if it got that far.
    init(_ error: any Error, certificate: NIOSSLCertificate?, now: time_t = time(nil)) {
        if let failure = error as? UpstreamTLSFailure {
            self = failure
        } else if error as? NIOSSLExtraError == .failedToValidateHostname
            || error as? NIOSSLError == .unableToValidateCertificate
        {
            self = .otherName
        } else if Self.isVerification(error) {
            // The library reports no more. A certificate that it refuses is outside its validity, or not signed by a trusted
            // authority.
            self = certificate.map { Self(refused: $0, now: now) } ?? .untrusted
        } else {
            self = .handshakeFailed
        }
    }

    private init(refused certificate: NIOSSLCertificate, now: time_t) {
        if certificate.notValidAfter < now {
            self = .certificateExpired
        } else {
            self = certificate.notValidBefore > now ? .certificateNotYetValid : .untrusted
        }
    }

    private static func isVerification(_ error: any Error) -> Bool {
        guard case .handshakeFailed(.sslError(let stack)) = error as? NIOSSLError else { return false }
        return stack.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }
    }
}

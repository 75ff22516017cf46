import Glibc
import NIOSSL

/// Why an upstream that accepted a connection could not be spoken to over TLS.
enum UpstreamTLSFailure: Error, Hashable {
    case certificateExpired
    case certificateNotYetValid
    /// The certificate is good, but for another name or address.
    case otherName
    /// No authority that is trusted vouches for the certificate.
    case untrusted
    case timeout
    /// Anything else, such as an upstream that speaks plain HTTP, or no version that is allowed.
    case handshakeFailed

    /// How metrics and log lines call it.
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

    /// Reads what the library says.
    ///
    /// - Parameter certificate: what the upstream has shown, if it came that far.
    init(_ error: any Error, certificate: NIOSSLCertificate?, now: time_t = time(nil)) {
        if let failure = error as? UpstreamTLSFailure {
            self = failure
        } else if error as? NIOSSLExtraError == .failedToValidateHostname
            || error as? NIOSSLError == .unableToValidateCertificate
        {
            self = .otherName
        } else if Self.isVerification(error) {
            // The library tells no more: what it refuses is out of its time, or else nobody vouches for it.
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

import Glibc
import NIOSSL
import OutgoingConnections

/// The reason why TLS with an upstream failed after it accepted the connection.
enum UpstreamTLSFailure: Error, Hashable {
    case certificateExpired
    case certificateNotYetValid
    /// The certificate is valid, but for another name or IP address.
    case otherName
    /// The certificate is not signed by a trusted authority.
    case otherAuthority
    case timeout
    /// Any other failure, such as an upstream that uses plain HTTP, or has no version that is allowed.
    case handshakeFailed

    /// The word for it in metrics and log lines.
    var failure: ConnectionFailure {
        switch self {
        case .certificateExpired, .certificateNotYetValid, .otherName, .otherAuthority: .untrustedCertificate
        case .timeout: .connectTimedOut
        case .handshakeFailed: .handshakeFailed
        }
    }

    /// The cause in detail, for log lines.
    var detail: String {
        switch self {
        case .certificateExpired: "certificate_expired"
        case .certificateNotYetValid: "certificate_not_yet_valid"
        case .otherName: "other_name"
        case .otherAuthority: "other_authority"
        case .timeout: "handshake_timeout"
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
        } else if ConnectionFailure(error, hasBegun: false) == .untrustedCertificate {
            // The library reports no more. A certificate that it refuses is outside its validity, or not signed by a trusted
            // authority.
            self = certificate.map { Self(refused: $0, now: now) } ?? .otherAuthority
        } else {
            self = .handshakeFailed
        }
    }

    private init(refused certificate: NIOSSLCertificate, now: time_t) {
        if certificate.notValidAfter < now {
            self = .certificateExpired
        } else {
            self = certificate.notValidBefore > now ? .certificateNotYetValid : .otherAuthority
        }
    }
}

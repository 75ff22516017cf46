import NIOCore
package import NIOSSL
import ServiceKit

/// The reason why a server's certificate is not trusted.
package enum CertificateFault: Error, Hashable {
    /// It expired at this time, in Unix seconds.
    case expired(Int64)
    /// It is not valid before this time, in Unix seconds.
    case notYetValid(Int64)
    /// It is valid, but only for these other names and IP addresses.
    case otherName([String])
    /// It is not signed by a trusted authority.
    case otherAuthority

    /// The maximum number of names in a line of the log.
    private static let namesMax = 8

    /// Reads the error of the TLS library, or returns `nil` if the certificate is not the reason.
    ///
    /// - Parameter certificate: the certificate that the server presented, if it got that far.
    package init?(_ error: any Error, certificate: NIOSSLCertificate?, now: Int64 = UnixTime.seconds()) {
        if error as? NIOSSLExtraError == .failedToValidateHostname
            || error as? NIOSSLError == .unableToValidateCertificate
        {
            self = .otherName(certificate.map(Self.names) ?? [])
        } else if ConnectionFailure(error, hasBegun: false) == .untrustedCertificate {
            // The library reports no more. A certificate that it refuses is outside its validity, or not signed by a trusted
            // authority.
            self = certificate.flatMap { Self(outsideValidity: $0, now: now) } ?? .otherAuthority
        } else {
            return nil
        }
    }

    private init?(outsideValidity certificate: NIOSSLCertificate, now: Int64) {
        let (begin, end) = (Int64(certificate.notValidBefore), Int64(certificate.notValidAfter))
        if end < now {
            self = .expired(end)
        } else if begin > now {
            self = .notYetValid(begin)
        } else {
            return nil
        }
    }

    /// The word for log lines.
    package var word: String {
        switch self {
        case .expired: "certificate_expired"
        case .notYetValid: "certificate_not_yet_valid"
        case .otherName: "other_name"
        case .otherAuthority: "other_authority"
        }
    }

    /// Returns the reason in the operator's words, with this host's time if that may be the wrong one.
    package func words(now: Int64 = UnixTime.seconds()) -> String {
        let clock = "; this host's clock shows \(ISOTime.text(now))Z"
        return switch self {
        case .expired(let time): "expired at \(ISOTime.text(time))Z\(clock)"
        case .notYetValid(let time): "not valid before \(ISOTime.text(time))Z\(clock)"
        case .otherName(let names): names.isEmpty ? "without a name" : "only for " + names.joined(separator: ", ")
        case .otherAuthority:
            "not signed by a trusted authority, its authority has expired, or it is not one for servers"
        }
    }

    private static func names(of certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().lazy.compactMap(text).prefix(namesMax).map { $0 }
    }

    private static func text(of name: _SubjectAlternativeName) -> String? {
        switch name.nameType {
        case .dnsName: String(decoding: name.contents, as: UTF8.self)
        // An address of a wrong length has no text.
        case .ipAddress: (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: name.contents), port: 0))?.ipAddress
        default: nil
        }
    }
}

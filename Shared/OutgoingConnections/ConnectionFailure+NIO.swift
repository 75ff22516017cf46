import Glibc
import NIOCore
import NIOPosix
import NIOSSL

extension ConnectionFailure {
    /// Reads an error of SwiftNIO or its TLS.
    ///
    /// - Parameter hasBegun: whether any of the request had been sent.
    /// - Returns: `nil` for an error of another library.
    package init?(_ error: any Error, hasBegun: Bool) {
        switch error {
        case let error as NIOConnectionError: self = Self.ofAttempts(error)
        case let error as IOError: self = hasBegun && error.errnoCode != ECONNREFUSED ? .closed : Self.ofConnect(error)
        case ChannelError.connectTimeout: self = .connectTimedOut
        case is ChannelError: self = .closed
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            // Nothing is sent before a handshake is complete.
            let refusal: Self = Self.isUntrusted(error) ? .untrustedCertificate : .handshakeFailed
            self = hasBegun && !Self.isOfHandshake(error) ? .closed : refusal
        default: return nil
        }
    }

    private static func isOfHandshake(_ error: any Error) -> Bool {
        if case .handshakeFailed = error as? NIOSSLError { return true }
        return isUntrusted(error)
    }

    /// Whether TLS failed because the server's certificate could not be verified.
    private static func isUntrusted(_ error: any Error) -> Bool {
        if error as? NIOSSLExtraError == .failedToValidateHostname { return true }
        switch error as? NIOSSLError {
        case .unableToValidateCertificate: return true
        case .handshakeFailed(.sslError(let stack)):
            return stack.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }
        default: return false
        }
    }

    /// Returns the failure of a name's addresses: that of the server that came closest to a connection.
    private static func ofAttempts(_ error: NIOConnectionError) -> Self {
        let attempts = error.connectionErrors.compactMap { Self($0.error, hasBegun: false) }
        guard attempts.isEmpty else { return attempts.contains(.refused) ? .refused : attempts[0] }
        return error.dnsAError == nil && error.dnsAAAAError == nil ? .connectTimedOut : .nameNotFound
    }

    private static func ofConnect(_ error: IOError) -> Self {
        switch error.errnoCode {
        case ETIMEDOUT: .connectTimedOut
        case ECONNRESET, EPIPE, ENOTCONN, EBADF: .closed
        default: .refused
        }
    }
}

import NIOCore
import NIOPosix
import NIOSSL

extension RedisError {
    /// Returns the reason why a connection was not made, or was lost, as a line for the operator.
    static func words(ofConnecting error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: words(ofAttempts: error)
        case ChannelError.connectTimeout: "no connection in time"
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "the certificate of the server is for another name"
        case NIOSSLError.handshakeFailed(.sslError(let stack))
        where stack.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }:
            "the certificate of the server cannot be verified: it has expired, or its authority is not in REDIS_CA_FILE"
        default: "\(error)"
        }
    }

    /// The failure of a name, or of the last of its addresses.
    private static func words(ofAttempts error: NIOConnectionError) -> String {
        if let last = error.connectionErrors.last { return "\(last.target): \(last.error)" }
        return error.dnsAError.map { "\($0)" } ?? "no connection in time"
    }
}

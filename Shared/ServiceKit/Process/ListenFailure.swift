import Glibc
import NIOCore

/// The error that the process cannot listen at an address.
package struct ListenFailure: Error, CustomStringConvertible {
    package let description: String

    /// Finds the failure to listen in `error`, or returns `nil` if the error is of another kind.
    ///
    /// - Parameter setting: The variable that contains the address.
    package init?(_ error: any Error, setting: String, address: ListenAddress) {
        let reason: String
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            reason = "is in use by another program. Stop it, or name another port."
        case let error as IOError where error.errnoCode == EACCES:
            reason = "needs root. Name a port from 1024 on."
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
            reason = "is not an address of this machine. Name one that \"ip address\" shows, 0.0.0.0 or 127.0.0.1."
        case is SocketAddressError:
            reason = "has no IP address: the host name is unknown. Name an address of this machine."
        default: return nil
        }
        description = "\(setting): \(address) \(reason)"
    }

    /// The failure that this machine has no address in a block.
    init(noneIn block: ListenAddress, setting: String) {
        description =
            "\(setting): this machine has no address in \(block.host). Name a network to which it is connected."
    }

    /// Runs `body`, and adds the names of setting and address to its failures to listen.
    package static func naming<Value>(
        _ setting: String, _ address: ListenAddress, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch {
            throw ListenFailure(error, setting: setting, address: address) ?? error
        }
    }
}

import Policies
import Synchronization

/// Bounds the exchanges of codes that are in flight, so that junk codes cannot use up the connections to a provider.
final class ExchangeSlots: Sendable {
    /// The most exchanges at one provider, for each replica.
    static let providerMax = 32
    /// The most exchanges for the clients of one network, IPv4 /24 or IPv6 /48.
    static let networkMax = 4

    /// A share under which exchanges are counted.
    private enum Scope: Hashable {
        case provider(String)
        /// `nil` for clients whose IP address is unknown.
        case network(CIDR?)

        var max: Int {
            switch self {
            case .provider: ExchangeSlots.providerMax
            case .network: ExchangeSlots.networkMax
            }
        }
    }

    private let taken = Mutex<[Scope: Int]>([:])

    /// Carries out an exchange.
    ///
    /// - Parameter address: the client's IP address.
    /// - Throws: `.away` at once if too many exchanges are in flight; the errors of `exchange`.
    func carryOut<Value>(
        at provider: String, for address: String, _ exchange: () async throws(CodeExchange.Failure) -> Value
    ) async throws(CodeExchange.Failure) -> Value {
        let scopes = [Scope.provider(provider), .network(IPAddress(address)?.knownScope)]
        guard take(scopes) else { throw .away(cause: "too many exchanges in flight") }
        defer { release(scopes) }
        return try await exchange()
    }

    private func take(_ scopes: [Scope]) -> Bool {
        taken.withLock { taken in
            guard scopes.allSatisfy({ taken[$0, default: 0] < $0.max }) else { return false }
            for scope in scopes { taken[scope, default: 0] += 1 }
            return true
        }
    }

    private func release(_ scopes: [Scope]) {
        taken.withLock { taken in
            for scope in scopes {
                let left = taken[scope, default: 0] - 1
                taken[scope] = left > 0 ? left : nil
            }
        }
    }
}

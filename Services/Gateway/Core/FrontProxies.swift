import Policies
import ServiceKit

/// The proxies in front of the gateway, and whether they announce each client by a PROXY header.
struct FrontProxies: Sendable, Equatable {
    static let protocolVariable = "LATCHKEY_PROXY_PROTOCOL"
    static let trustedVariable = "LATCHKEY_TRUSTED_PROXIES"
    /// The greatest number of address blocks, equal to the policy's.
    private static let blocksMax = 64

    /// The address blocks of the proxies whose statements about their clients are believed.
    var trusted: [CIDR]
    /// Whether each connection begins with a PROXY header, and connections come only from the proxies.
    var announceClients: Bool

    /// Reads the policy, and the environment, which takes precedence.
    init(_ policy: Policy, variable: (String) -> String?) throws(SettingsError) {
        trusted = try variable(Self.trustedVariable).flatMap(Self.blocks) ?? policy.trustedProxies
        let announced = variable(Self.protocolVariable).flatMap { $0.isEmpty ? nil : $0 }
        if let announced { try SettingsError.require(announced, for: Self.protocolVariable) }
        announceClients = announced.map { $0 == "1" } ?? policy.edge.proxyProtocol
        guard !announceClients || !trusted.isEmpty else {
            throw SettingsError.missing(
                Self.trustedVariable, because: "each connection begins with a PROXY header (\(Self.protocolVariable))",
                use: "the addresses of the proxies that send it, such as 10.0.0.0/8")
        }
    }

    private static func blocks(_ text: String) throws(SettingsError) -> [CIDR]? {
        let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
        guard !parts.isEmpty else { return nil }
        let blocks = parts.compactMap { CIDR($0) }
        guard blocks.count == parts.count, blocks.count <= blocksMax else {
            throw SettingsError.invalid(
                trustedVariable, text,
                use: "at most \(blocksMax) IP addresses or blocks such as 10.0.0.0/8, separated by commas")
        }
        return blocks
    }
}

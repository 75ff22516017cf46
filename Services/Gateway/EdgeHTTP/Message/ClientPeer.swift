package import Policies

/// The peer of a connection, read once for each.
package struct ClientPeer: Sendable {
    package let address: IPAddress
    /// The IP address in the text that is passed on.
    package let text: String
    /// The scheme of the connection itself, whatever a proxy states.
    package let scheme: ForwardedScheme
    /// Whether the peer may state another client and scheme in `X-Forwarded-For` and `X-Forwarded-Proto`. `false` if a
    /// proxy announced a connection of unknown origin: the fields can then come from anyone.
    let mayForward: Bool

    /// A placeholder until the peer is known.
    static let none = ClientPeer(address: IPAddress(ipv4: 0))

    init(address: IPAddress, scheme: ForwardedScheme = .http, mayForward: Bool = true) {
        self.address = address
        self.scheme = scheme
        self.mayForward = mayForward
        text = address.description
    }

    /// This peer without the right to state another client.
    var asClient: ClientPeer { ClientPeer(address: address, scheme: scheme, mayForward: false) }

    /// Whether the peer is a trusted proxy whose forwarded fields are believed.
    package func isProxy(among trusted: [CIDR]) -> Bool { mayForward && trusted.contains { $0.contains(address) } }
}

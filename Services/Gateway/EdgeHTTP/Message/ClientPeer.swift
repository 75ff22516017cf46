package import Policies

/// Who is connected to us, once for each connection.
package struct ClientPeer: Sendable {
    package let address: IPAddress
    /// The address as it is passed on.
    package let text: String
    /// Of the connection itself, whatever a proxy says.
    package let scheme: ForwardedScheme

    /// Before it is known.
    static let none = ClientPeer(address: IPAddress(ipv4: 0))

    init(address: IPAddress, scheme: ForwardedScheme = .http) {
        self.address = address
        self.scheme = scheme
        text = address.description
    }
}

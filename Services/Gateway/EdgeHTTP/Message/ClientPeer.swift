package import Policies

/// Who is connected to us, once for each connection.
package struct ClientPeer: Sendable {
    package let address: IPAddress
    /// The address as it is passed on.
    package let text: String

    /// Before it is known.
    static let none = ClientPeer(address: IPAddress(ipv4: 0))

    init(address: IPAddress) {
        self.address = address
        text = address.description
    }
}

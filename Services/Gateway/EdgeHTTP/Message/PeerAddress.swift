import NIOCore
import Policies

/// The IP address at the other end of a connection.
struct PeerAddress {
    let address: IPAddress

    init?(_ socketAddress: SocketAddress) {
        guard let text = socketAddress.ipAddress, let address = IPAddress(text) else { return nil }
        self.address = address
    }
}

import InternalAPI
import Policies

/// What is kept of the device that signed in, for its owner to recognise it by.
struct DeviceFacts: Sendable, Equatable {
    let name: String?
    /// The network, not the address: IPv4 /24, IPv6 /48.
    let network: String?

    init(_ request: IssueRequest) {
        name = DeviceName.of(given: request.deviceName, userAgent: request.userAgent)
        network = request.address.flatMap { IPAddress($0) }.map { $0.knownScope.description }
    }
}

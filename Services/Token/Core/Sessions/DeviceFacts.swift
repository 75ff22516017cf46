import InternalAPI
import Policies

/// The facts about the device that signed in, by which its user can recognise it.
struct DeviceFacts: Sendable, Equatable {
    let name: String?
    /// The kind of device, or `nil` if its software does not show it.
    let kind: DeviceKind?
    /// The network, not the IP address: IPv4 /24, IPv6 /48.
    let network: String?

    init(_ request: IssueRequest) {
        name = DeviceName.of(given: request.deviceName, userAgent: request.userAgent)
        kind = DeviceKind(userAgent: request.userAgent)
        network = request.address.flatMap { IPAddress($0) }.map { $0.knownScope.description }
    }
}

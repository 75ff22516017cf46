internal import InternalAPI
internal import Policies

/// What is kept of the device that signed in, for its owner to recognise it by.
struct DeviceFacts: Sendable, Equatable {
    static let nameLengthMax = 48

    /// The device's own name, or else how its software calls itself.
    let name: String?
    /// The network, not the address: IPv4 /24, IPv6 /48.
    let network: String?

    init(_ request: IssueRequest) {
        name = Self.tidied(request.deviceName) ?? Self.tidied(request.userAgent)
        network = request.address.flatMap { IPAddress($0) }.map { $0.knownScope.description }
    }

    /// One line of printable characters; nil when nothing is left.
    private static func tidied(_ text: String?) -> String? {
        guard let text else { return nil }
        let printable = text.unicodeScalars.filter { $0.properties.generalCategory != .control && $0.value != 0x2028 }
        let line = String(String.UnicodeScalarView(printable.prefix(nameLengthMax)))
        return line.allSatisfy(\.isWhitespace) ? nil : line
    }
}

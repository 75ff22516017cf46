/// The addresses of an app to which browsers return.
package enum AppAddress {
    private static let flow = "sb_flow_id="

    /// Returns the address without the parameter by which a client of Supabase Auth finds its own flow again, and which it puts last.
    package static func withoutFlow(_ text: String) -> String {
        // Bytes are compared, since a character may consist of a mark of ASCII and others after it.
        let bytes = text.utf8
        guard let start = bytes.lastIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }) else {
            return text
        }
        let parameter = bytes[start...].dropFirst()
        let value = parameter.dropFirst(flow.utf8.count)
        let isFlow =
            parameter.starts(with: flow.utf8) && value.count <= 64
            && value.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
        return isFlow ? String(text[..<start]) : text
    }

    /// Whether an address is listed, byte for byte, apart from that parameter.
    package static func isListed(_ asked: String, among list: [String]) -> Bool {
        let known = withoutFlow(asked)
        return list.contains { $0.utf8.elementsEqual(known.utf8) }
    }

    /// Returns the address if it is listed, else the first that is; `nil` if none is.
    package static func listed(_ asked: String?, among list: [String]) -> String? {
        asked.flatMap { isListed($0, among: list) ? $0 : nil } ?? list.first
    }

    /// Returns the address with a parameter, whose value needs no escapes, added to its query.
    package static func adding(_ name: String, _ value: String, to address: String) -> String {
        address + (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "\(name)=\(value)"
    }
}

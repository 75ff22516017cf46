internal import Policies

/// The head of a request that passed every rule; names, path and framing have one reading.
struct RequestHead: Sendable {
    let block: HeaderBlock
    let methodRange: Range<Int>
    /// Path with query, in origin form.
    let targetRange: Range<Int>
    let pathRange: Range<Int>
    let framing: BodyFraming
    let keepsAlive: Bool
    let isHTTP10: Bool
    let expectsContinue: Bool
    /// Who is connected to us.
    var peer = IPAddress(ipv4: 0)

    var method: ArraySlice<UInt8> { block.bytes[methodRange] }
    var target: ArraySlice<UInt8> { block.bytes[targetRange] }
    var methodText: String { String(decoding: method, as: UTF8.self) }
    /// The path as it was authorised and as it is sent on.
    var pathText: String { String(decoding: block.bytes[pathRange], as: UTF8.self) }
    /// Whether answers to it have no body.
    var isHEAD: Bool { method.elementsEqual("HEAD".utf8) }
    /// GET and HEAD without a body change nothing, so they may be sent again.
    var isSafeToRepeat: Bool { framing == .none && (isHEAD || method.elementsEqual("GET".utf8)) }

    /// The values of the fields called `name`, given in lower case.
    func all(_ name: StaticString) -> [[UInt8]] { block.values(name).map(Array.init) }

    /// The value of the only field called `name`; nil when there is none, or more than one.
    func text(_ name: StaticString) -> String? {
        let values = block.values(name)
        guard values.count == 1, let value = values.first else { return nil }
        return String(decoding: value, as: UTF8.self)
    }
}

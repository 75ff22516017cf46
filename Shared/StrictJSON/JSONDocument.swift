/// One text that was read, and its values in their order: found in place, and made into strings only when asked for.
final class JSONDocument {
    let text: [UInt8]
    /// The value that the text is, and at the end a null that is not in the text.
    let nodes: [JSONNode]

    /// The object in which a member was found last, and where the name after it is.
    private var expected = (object: -1, name: 0)

    init(_ text: [UInt8], nodes: [JSONNode]) {
        self.text = text
        self.nodes = nodes
    }

    /// Stands for a value that is not there.
    var absent: Int { nodes.count - 1 }

    func isNull(_ index: Int) -> Bool {
        if case .null = nodes[index] { true } else { false }
    }

    func bool(at index: Int) -> Bool? {
        if case .bool(let bool) = nodes[index] { bool } else { nil }
    }

    func string(at index: Int) -> String? {
        if case .string(let token) = nodes[index] { token.content(in: text) } else { nil }
    }

    func integer(at index: Int) -> Int64? {
        if case .integer(let integer) = nodes[index] { integer } else { nil }
    }

    func double(at index: Int) -> Double? {
        switch nodes[index] {
        case .double(let double): double
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    /// The number as an integer that holds it exactly: 1.0 is 1.
    func number<Number: FixedWidthInteger>(at index: Int, as type: Number.Type) -> Number? {
        switch nodes[index] {
        case .integer(let integer): Number(exactly: integer)
        case .double(let double): Number(exactly: double)
        default: nil
        }
    }

    /// The value of the member with exactly these bytes as its name, in the object at `object`.
    func member(_ name: String, of object: Int) -> Int? {
        let name = name.utf8Span.span
        let end = nodes.end(of: object)
        // Types mostly ask for their members in the order in which the other side wrote them.
        if expected.object == object, expected.name < end, isName(at: expected.name, name) {
            return found(at: expected.name, of: object)
        }
        var index = object + 1
        while index < end {
            if isName(at: index, name) { return found(at: index, of: object) }
            index = nodes.end(of: index + 1)
        }
        return nil
    }

    @inline(__always)
    private func isName(at index: Int, _ name: Span<UInt8>) -> Bool {
        guard case .string(let token) = nodes[index] else { return false }
        return token.isSame(as: name, in: text)
    }

    private func found(at name: Int, of object: Int) -> Int {
        expected = (object, nodes.end(of: name + 1))
        return name + 1
    }

    /// The names of the object at `object`.
    func names(of object: Int) -> [String] {
        let end = nodes.end(of: object)
        var names: [String] = []
        var index = object + 1
        while index < end {
            if let token = nodes.name(at: index) { names.append(token.content(in: text)) }
            index = nodes.end(of: index + 1)
        }
        return names
    }
}

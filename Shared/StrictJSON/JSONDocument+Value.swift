extension JSONDocument {
    /// The value at `index`, whole. Descends no deeper than the reader did, so at most `Limits.depthCeiling`.
    func value(at index: Int) -> JSONValue {
        switch nodes[index] {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .integer(integer)
        case .double(let double): .double(double)
        case .string(let token): .string(token.content(in: text))
        case .array(let count, let end): .array(elements(from: index + 1, to: end, count: count))
        case .object(let end): .object(JSONObject(members: members(from: index + 1, to: end)))
        }
    }

    private func elements(from start: Int, to end: Int, count: Int) -> [JSONValue] {
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        var index = start
        while index < end {
            elements.append(value(at: index))
            index = nodes.end(of: index)
        }
        return elements
    }

    private func members(from start: Int, to end: Int) -> [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        var index = start
        while index < end, let name = nodes.name(at: index) {
            members.append(.init(name: name.content(in: text), value: value(at: index + 1)))
            index = nodes.end(of: index + 1)
        }
        return members
    }
}

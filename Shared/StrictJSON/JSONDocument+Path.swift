extension JSONDocument {
    /// The way to the value at `target`. Searched for, so that whoever decodes without an error pays nothing for it.
    func path(to target: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        // Every step leads further on in the text, at most as many times as the text is deep.
        while container < target, let step = step(from: container, toward: target) {
            path.append(step.key)
            container = step.value
        }
        return path
    }

    /// The element or member of `container` that is the value at `target`, or in which it lies.
    private func step(from container: Int, toward target: Int) -> (key: PathKey, value: Int)? {
        let end = nodes.end(of: container)
        var index = container + 1
        var count = 0
        while index < end {
            let name = isObject(container) ? nodes.name(at: index) : nil
            let value = name == nil ? index : index + 1
            let next = nodes.end(of: value)
            if (value..<next).contains(target) {
                return (name.map { PathKey(name: $0.content(in: text)) } ?? PathKey(index: count), value)
            }
            index = next
            count += 1
        }
        return nil
    }

    private func isObject(_ index: Int) -> Bool {
        if case .object = nodes[index] { true } else { false }
    }
}

/// One step of a path: the name of a member, or an element's place in its array.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(name: stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}

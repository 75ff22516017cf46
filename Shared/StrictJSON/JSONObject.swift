/// The members of a JSON object in their order; names are distinct byte by byte.
///
/// Names are not compared by `==` alone, nor used as dictionary keys: Swift compares them by canonical equivalence, so that
/// U+212A KELVIN SIGN equals `K`.
package struct JSONObject: Sendable, Equatable {
    /// A name and its value.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: JSONValue
    }

    /// The number of members up to which names are compared one by one, without a table.
    private static let comparedMax = 16

    package private(set) var members: [Member] = []
    /// The positions of more than `comparedMax` members, by the bytes of their names: without this table, an object of
    /// thousands of members would take quadratic time.
    private var places: [[UInt8]: Int] = [:]

    /// Appends a member whose name is not in the object yet.
    mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
        guard members.count > Self.comparedMax else { return }
        for place in places.count..<members.count { places[Array(members[place].name.utf8)] = place }
    }

    /// The value of the member with exactly these bytes as its name.
    package subscript(name: String) -> JSONValue? { place(of: name).map { members[$0].value } }

    /// The object without the members that are `null`.
    package var withoutNulls: JSONObject {
        var object = JSONObject()
        for member in members where member.value != .null { object.append(member.name, member.value) }
        return object
    }

    /// The object without the members of these names.
    package func without(_ names: [String]) -> JSONObject {
        var object = JSONObject()
        for member in members where !names.contains(member.name) { object.append(member.name, member.value) }
        return object
    }

    /// Whether a member has exactly these bytes as its name.
    func contains(_ name: String) -> Bool { place(of: name) != nil }

    private func place(of name: String) -> Int? {
        guard places.isEmpty else { return places[Array(name.utf8)] }
        return members.firstIndex { haveSameBytes($0.name, name) }
    }
}

private func haveSameBytes(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let (left, right) = (left.utf8Span.span, right.utf8Span.span)
    return left.indices.allSatisfy { left[$0] == right[$0] }
}

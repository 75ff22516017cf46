/// A value in a text that was read, or the name before a member's value; what is within a container follows it.
enum JSONNode {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that an Int64 holds exactly.
    case integer(Int64)
    /// Any other number, finite.
    case double(Double)
    case string(StringToken)
    /// So many elements, and the index after all that is within.
    case array(count: Int, end: Int)
    /// Names and values by turns, to the index `end`.
    case object(end: Int)
}

extension [JSONNode] {
    /// The index after the value at `index` and all that is within it.
    func end(of index: Int) -> Int {
        switch self[index] {
        case .array(_, let end), .object(let end): end
        case .null, .bool, .integer, .double, .string: index + 1
        }
    }

    /// The name at `index`, where a member begins.
    func name(at index: Int) -> StringToken? {
        if case .string(let token) = self[index] { token } else { nil }
    }
}

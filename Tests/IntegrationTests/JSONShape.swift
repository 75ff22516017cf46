import StrictJSON

extension JSONValue {
    /// The names of an object's members, sorted; nil for anything else.
    var memberNames: [String]? { objectValue.map { $0.members.map(\.name).sorted() } }
}

extension JSONValue {
    /// Returns the value after a JSON merge patch (RFC 7396 section 2).
    ///
    /// A patch that is an object changes the members that it contains: `null` removes one, an object is merged into it, and every
    /// other value replaces it. A patch that is no object replaces the whole value. Both are as deep as the reader allowed.
    package func merged(with patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        return .object((objectValue ?? JSONObject()).merged(with: changes))
    }
}

extension JSONObject {
    /// An object without members.
    package static let empty = JSONObject()

    /// Returns the object after a JSON merge patch that is an object. Members keep their places, and new ones come last.
    package func merged(with changes: JSONObject) -> JSONObject {
        var merged = JSONObject()
        for member in members {
            guard let change = changes[member.name] else {
                merged.append(member.name, member.value)
                continue
            }
            if change != .null { merged.append(member.name, member.value.merged(with: change)) }
        }
        for change in changes.members where change.value != .null && !contains(change.name) {
            // A new object loses its nulls too, as if it were merged into an empty one.
            merged.append(change.name, JSONValue.null.merged(with: change.value))
        }
        return merged
    }
}

/// A message below a form's field that says what is wrong with it; screen readers read it with the field (WAI-ARIA 1.2).
enum FieldProblem {
    private static let id = "problem"

    /// The attributes of the field; empty if there is neither a problem nor a hint.
    ///
    /// - Parameter hints: the ids of elements that describe the field anyway.
    static func attributes(_ problem: String?, after hints: [String] = []) -> String {
        let ids = hints + (problem == nil ? [] : [id])
        let described = ids.isEmpty ? "" : " aria-describedby=\"\(ids.joined(separator: " "))\""
        return (problem == nil ? "" : " aria-invalid=\"true\"") + described
    }

    /// The message after the field; `problem` as HTML.
    static func html(_ problem: String?) -> String {
        problem.map { "\n<p id=\"\(id)\" role=\"alert\">\($0)</p>" } ?? ""
    }
}

/// A message below a form's field that says what is wrong with it; screen readers read it with the field (WAI-ARIA 1.2).
enum FieldProblem {
    private static let id = "problem"

    /// The attributes of the field; empty if there is no problem.
    static func attributes(_ problem: String?) -> String {
        problem == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(id)\""
    }

    /// The message after the field; `problem` as HTML.
    static func html(_ problem: String?) -> String {
        problem.map { "\n<p id=\"\(id)\" role=\"alert\">\($0)</p>" } ?? ""
    }
}

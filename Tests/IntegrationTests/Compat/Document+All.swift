extension Document {
    /// All of them, as `deploy/docs/reference/compatibility.md` names their statements.
    static let all = [howru, aarokya, voltyks, gremlin, uta]
}

extension Document {
    /// All of them, in the order of `Tests/Compat/statements.md`.
    static let all = [howru, aarokya, voltyks, gremlin, uta]
}

/// The database files of a deployment.
enum DatabaseNames {
    static let all = ["tokens.sqlite", "users.sqlite"]
}

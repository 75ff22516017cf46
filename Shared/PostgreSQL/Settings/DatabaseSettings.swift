/// The variables and the secret by which a service reaches its database.
package struct DatabaseSettings: Sendable, Equatable {
    /// The database's address; without it the service uses a SQLite file.
    package let url: String
    package let connections: String
    package let durability: String
    /// The name of the secret with the password.
    package let password: String

    package static let token = DatabaseSettings(
        url: "TOKEN_DATABASE_URL", connections: "TOKEN_DATABASE_CONNECTIONS", durability: "TOKEN_DATABASE_DURABILITY",
        password: "token_database_password")

    package static let user = DatabaseSettings(
        url: "USER_DATABASE_URL", connections: "USER_DATABASE_CONNECTIONS", durability: "USER_DATABASE_DURABILITY",
        password: "user_database_password")
}

/// The variables and the secret by which a service reaches its database.
package struct DatabaseSettings: Sendable, Equatable {
    private let service: String

    /// The database's address; without it the service uses a SQLite file.
    package var url: String { variable("URL") }
    /// The name of the secret with the password.
    package var password: String { service + "_database_password" }

    package static let token = DatabaseSettings(service: "token")
    package static let user = DatabaseSettings(service: "user")

    func variable(_ name: String) -> String { "\(service.uppercased())_DATABASE_\(name)" }
}

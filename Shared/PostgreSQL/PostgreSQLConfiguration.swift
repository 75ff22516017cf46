package import Logging

/// The address of a database and what is demanded of it.
package struct PostgreSQLConfiguration: Sendable {
    /// The guarantee that an acknowledged commit is never lost.
    package enum Durability: Sendable {
        /// The server's settings give it, and they are checked.
        case settings
        /// The storage below the server gives it, so the server's settings are only reported.
        case storage
        /// There is none, and nothing is reported: tests.
        case unchecked
    }

    package let url: DatabaseURL
    /// The schema that contains the tables.
    package let schema: String
    package let isProduction: Bool
    package let durability: Durability
    package var connectionCount = PostgreSQLLimits.usualConnections
    /// How long one address of a host may take to accept a connection.
    package var connectMax: Duration
    /// Whether all connections are made at the start, so that it fails if the server has too few.
    package var opensAllAtStart = false
    /// Reads the password; called at each connect, so that a new one needs no restart.
    package var password: @Sendable () throws -> String?

    /// Receives the server's warnings.
    package var logger = Logger(label: "postgresql")
    /// The order in which all connections of this configuration, and of copies of it, try the hosts.
    let hosts = HostOrder()
    /// The newest server that the connections of this configuration, and of copies of it, have found.
    let fence = ServerFence()

    package init(
        url: DatabaseURL, schema: String, isProduction: Bool, durability: Durability,
        password: @escaping @Sendable () throws -> String? = { nil }
    ) {
        self.url = url
        self.schema = schema
        self.isProduction = isProduction
        self.durability = durability
        self.password = password
        connectMax = url.connectMax
    }
}

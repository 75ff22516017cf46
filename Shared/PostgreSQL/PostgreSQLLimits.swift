/// The bounds of the layer's waits and queues.
package enum PostgreSQLLimits {
    /// How long one address of a host may take to accept a connection.
    static let connectMax: Duration = .seconds(2)
    /// How long an attempt to connect goes on to the next host. The next attempt begins where it ended.
    static let attemptMax: Duration = .seconds(4)
    /// The number of addresses of a host that are tried.
    static let addressesMax = 8
    /// The number of attempts at a transaction that failed by a deadlock or with its connection.
    static let attemptsMax = 3
    /// The number of connections of a process unless the operator sets another one.
    package static let usualConnections = 6
    /// How long a command of the operator waits for a table that is in use.
    static let commandLockSeconds = 2
    /// The delays between attempts to connect.
    static let firstDelay: Duration = .milliseconds(50)
    static let longestDelay: Duration = .seconds(1)
    /// The oldest server, as its number.
    static let oldestServer = 150_000
}

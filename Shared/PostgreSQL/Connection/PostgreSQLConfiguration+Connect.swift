import Storage

extension PostgreSQLConfiguration {
    /// Connects to the first host that accepts a connection; blocks the thread.
    func connect(applicationName: String) throws -> PQConnection {
        try hosts.connect(to: url.hosts) { try connect(to: $0, applicationName: applicationName) }.0
    }

    /// Connects to a host by the first of its addresses that accepts a connection.
    func connect(to host: DatabaseURL.Host, applicationName: String) throws -> PQConnection {
        let library = try PQLibrary.load()
        let password = try password()
        var failures: [String] = []
        for address in try HostAddresses.of(host) {
            let parameters = url.parameters(
                of: host, at: address, applicationName: applicationName, password: password, isProduction: isProduction)
            do throws(PostgreSQLError) {
                return try PQConnection(parameters, library, logger, until: .now + connectMax)
            } catch {
                let isLate = error.kind == .timedOut
                failures.append(isLate ? "\(host.place) accepts no connection within \(connectMax)" : error.message)
            }
        }
        throw PostgreSQLError(.lost, failures.joined(separator: "; "))
    }
}

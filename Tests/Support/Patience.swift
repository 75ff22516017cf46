package import RedisClient

/// The times of tests' own clients, stand-ins and waits. A machine with other work must not exceed them, so they are far
/// longer than the product's. Only a test about a limit has a shorter one.
package enum Patience {
    /// The deadline of anything that a test waits for.
    package static let limit: Duration = .seconds(60)
}

extension RedisConfiguration {
    /// The settings of a test's client of a Redis on this port.
    package static func patient(
        port: Int, username: String? = nil, password: String? = nil
    ) -> RedisConfiguration {
        RedisConfiguration(port: port, username: username, password: password).patient
    }

    /// A copy with the times of a test's client.
    package var patient: RedisConfiguration {
        var configuration = self
        configuration.commandTimeout = Patience.limit
        configuration.connectTimeout = Patience.limit
        return configuration
    }
}

/// Repeats `act` while it returns `nil`, for want of a response; returns `nil` after `Patience.limit`.
package func untilAnswered<Value>(_ act: () async throws -> Value?) async throws -> Value? {
    let deadline = ContinuousClock.now + Patience.limit
    while ContinuousClock.now < deadline {
        if let value = try await act() { return value }
        try await Task.sleep(for: .milliseconds(50))
    }
    return nil
}

/// Sends a request again while the response is 503, as an app does: a password's hash waits its turn on a machine with other work.
package func patiently(_ send: () async throws -> HTTPAnswer) async throws -> HTTPAnswer {
    let deadline = ContinuousClock.now + Patience.limit
    while true {
        let answer = try await send()
        guard answer.status == 503, ContinuousClock.now < deadline else { return answer }
        try await Task.sleep(for: .milliseconds(500))
    }
}

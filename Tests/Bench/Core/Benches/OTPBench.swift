/// The limits of one-time codes: sign-ins per second, a flood of refused requests, a million phone numbers in Redis.
struct OTPBench: Sendable {
    /// Sign-ins in a second, all processes and the load generator on two cores.
    private static let boundPerSecond = 600.0

    let signIns: SignInBench

    /// Sign-ins, then the flood, on one stack.
    func load() async throws -> [Figure] {
        try await StackUnderLoad.run { stack in
            _ = try await stack.signIn(0..<signIns.warmUpCount, connections: signIns.connectionCount)
            let end = signIns.warmUpCount + signIns.count
            let run = try await stack.signIn(signIns.warmUpCount..<end, connections: signIns.connectionCount)
            let rate = Double(signIns.count) / run.wallSeconds
            let flood = RefusedFlood()
            return [
                Figure("otp.signin.rate", rate, .perSecond, bound: .atLeast(Self.boundPerSecond))
            ] + (try await flood.run(on: stack, firstIndex: end))
        }
    }
}

/// The effect of a flood of refused requests on other clients.
///
/// Numbers that have been sent all their codes, and are locked, ask and guess on; meanwhile others call the app's API and
/// ask for codes, as often as they did before the flood.
private struct RefusedFlood: Sendable {
    private static let floodConnections = 16
    private static let otherConnections = 4
    private static let otherPerSecond = 50.0
    private static let lockedNumbers = 32
    /// The policy's number of requests and guesses until a phone number is refused everything, with a margin.
    private static let requestsUntilRefused = 4
    private static let guessesUntilRefused = 6
    /// How much longer others may take during the flood, in the middle.
    private static let ratioMax = 1.5

    private static let perSecond = 500.0
    private static let seconds = 10.0

    /// - Parameter firstIndex: of numbers that are new to the stack; it needs fewer than a hundred thousand.
    func run(on stack: StackUnderLoad, firstIndex: Int) async throws -> [Figure] {
        let victims = firstIndex..<firstIndex + Self.lockedNumbers
        let bearer = try await stack.accessToken(of: victims.upperBound)
        let next = victims.upperBound + 1
        return try await LoadConnection.with(Self.floodConnections, port: stack.gatewayPort) { flooders in
            try await LoadConnection.with(Self.otherConnections, port: stack.gatewayPort) { others in
                for index in victims { try await lock(SignInNumbers.number(index), flooders[0]) }
                // Once for nothing: connections, caches and tables are warm in both.
                _ = try await visit(others, bearer, next)
                let quiet = try await visit(others, bearer, next + 20_000)
                async let refused = flood(flooders, victims)
                let flooded = try await visit(others, bearer, next + 40_000)
                return [Figure("otp.flood.refused", Double(try await refused) / Self.seconds, .perSecond)]
                    + Self.figures("otp.flood.call", quiet.calls, flooded.calls)
                    + Self.figures("otp.flood.request", quiet.requests, flooded.requests)
            }
        }
    }

    /// Sends a number all that it may be sent, then guesses until it is locked.
    private func lock(_ number: String, _ connection: LoadConnection) async throws {
        let requests = (0..<Self.requestsUntilRefused).map { _ in LoadRequest.codeRequest(number) }
        let guesses = (0..<Self.guessesUntilRefused).map { LoadRequest.guess(number, String(100_000 + $0)) }
        var status = 0
        for request in requests + guesses { status = try await connection.send(request).status }
        guard status == 429 else { throw UnexpectedReply(description: "a number could not be locked: \(status)") }
    }

    /// Returns how many requests were sent, each of which was refused.
    private func flood(_ connections: [LoadConnection], _ victims: Range<Int>) async throws -> Int {
        try await PacedLoad(perSecond: Self.perSecond, seconds: Self.seconds).milliseconds(over: connections) {
            index, connection in
            let number = SignInNumbers.number(victims.lowerBound + index % victims.count)
            let request = index.isMultiple(of: 2) ? LoadRequest.codeRequest(number) : .guess(number, "123456")
            try await connection.send(request, expecting: 429)
        }.count
    }

    /// The milliseconds of those who have no part in the flood: calls with a token, and requests for codes by other numbers.
    private func visit(
        _ connections: [LoadConnection], _ bearer: String, _ firstIndex: Int
    ) async throws -> (calls: [Double], requests: [Double]) {
        let load = PacedLoad(perSecond: Self.otherPerSecond, seconds: Self.seconds)
        let half = connections.count / 2
        async let calls = load.milliseconds(over: Array(connections[..<half])) {
            try await $1.send(.get("/api/hello", bearer: bearer), expecting: 200)
        }
        async let requests = load.milliseconds(over: Array(connections[half...])) {
            try await $1.send(.codeRequest(SignInNumbers.number(firstIndex + $0)), expecting: 200)
        }
        return (try await calls, try await requests)
    }

    private static func figures(_ name: String, _ quiet: [Double], _ flooded: [Double]) -> [Figure] {
        let (before, during) = (Figure.percentiles(quiet, [50, 95]), Figure.percentiles(flooded, [50, 95]))
        let ratios = zip(before, during).map { before, during in
            Figure("ratio.\(before.name)", during.value / before.value, .count, bound: .atMost(ratioMax))
        }
        return (before.under("quiet") + during + ratios).under(name)
    }
}

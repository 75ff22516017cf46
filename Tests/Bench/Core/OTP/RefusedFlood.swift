import AuthAPI

/// The effect of a flood of refused requests on other clients.
///
/// Numbers that have been sent all their codes, and are locked, ask and guess on; meanwhile others call the app's API and
/// ask for codes, as often as they did before the flood.
struct RefusedFlood: Sendable {
    private static let floodConnections = 16
    private static let otherConnections = 4
    private static let otherPerSecond = 50.0
    private static let lockedNumbers = 32
    /// The policy's number of requests and guesses until a phone number is refused everything, with a margin.
    private static let requestsUntilRefused = 4
    private static let guessesUntilRefused = 6

    let perSecond: Double
    let seconds: Double

    /// - Parameter firstIndex: of numbers that are new to the stack; it needs fewer than a hundred thousand.
    func run(on stack: StackUnderLoad, firstIndex: Int) async throws -> [Figure] {
        let victims = firstIndex..<firstIndex + Self.lockedNumbers
        let flooders = try await LoadConnection.open(Self.floodConnections, port: stack.gatewayPort)
        let others = try await LoadConnection.open(Self.otherConnections, port: stack.gatewayPort)
        for index in victims { try await lock(SignInNumbers.number(index), flooders[0]) }
        let bearer = try await SignInClient(hooks: stack.hooks)
            .tokens(SignInNumbers.number(victims.upperBound), over: others[0]).accessToken
        let next = victims.upperBound + 1
        // Once for nothing: connections, caches and tables are warm in both.
        _ = try await visit(others, bearer, next)
        let quiet = try await visit(others, bearer, next + 20_000)
        async let refused = flood(flooders, victims)
        let flooded = try await visit(others, bearer, next + 40_000)
        let refusedCount = try await refused
        for connection in flooders + others { await connection.close() }
        return [Figure("otp.flood.refused", Double(refusedCount) / seconds, .perSecond)]
            + Visits.figures(quiet: quiet, flooded: flooded)
    }

    /// Sends a number all that it may be sent, then guesses until it is locked.
    private func lock(_ number: String, _ connection: LoadConnection) async throws {
        var statuses: [Int] = []
        for _ in 0..<Self.requestsUntilRefused {
            statuses.append(try await connection.send(.codeRequest(number)).status)
        }
        for guess in 0..<Self.guessesUntilRefused {
            statuses.append(try await connection.send(.guess(number, String(100_000 + guess))).status)
        }
        guard statuses.last == 429 else {
            throw UnexpectedReply(description: "a number could not be locked: \(statuses)")
        }
    }

    /// Returns how many requests were sent, each of which was refused.
    private func flood(_ connections: [LoadConnection], _ victims: Range<Int>) async throws -> Int {
        let load = PacedLoad(perSecond: perSecond, seconds: seconds)
        return try await load.run(over: connections) { index, connection in
            let number = SignInNumbers.number(victims.lowerBound + index % victims.count)
            let request = index.isMultiple(of: 2) ? LoadRequest.codeRequest(number) : .guess(number, "123456")
            guard try await connection.send(request).status == 429 else {
                throw UnexpectedReply(description: "a request of the flood was not refused")
            }
        }.count
    }

    /// Measures the effect on other clients.
    private func visit(_ connections: [LoadConnection], _ bearer: String, _ firstIndex: Int) async throws -> Visits {
        let load = PacedLoad(perSecond: Self.otherPerSecond, seconds: seconds)
        let half = connections.count / 2
        async let calls = load.run(over: Array(connections[..<half])) { _, connection in
            let call = LoadRequest("GET", "/api/hello", headers: [("Authorization", "Bearer \(bearer)")])
            try await connection.send(call, expecting: 200)
        }
        async let requests = load.run(over: Array(connections[half...])) { index, connection in
            try await connection.send(.codeRequest(SignInNumbers.number(firstIndex + index)), expecting: 200)
        }
        return Visits(calls: try await calls.sorted(), requests: try await requests.sorted())
    }
}

/// Latencies of those who have no part in the flood, in milliseconds, sorted.
private struct Visits {
    /// How much longer they may take during the flood, in the middle.
    static let ratioMax = 1.5

    /// Calls of the app's API with a token.
    let calls: [Double]
    /// Requests for codes by other numbers.
    let requests: [Double]

    static func figures(quiet: Visits, flooded: Visits) -> [Figure] {
        figures("otp.flood.call", quiet.calls, flooded.calls)
            + figures("otp.flood.request", quiet.requests, flooded.requests)
    }

    private static func figures(_ name: String, _ quiet: [Double], _ flooded: [Double]) -> [Figure] {
        [50, 95].flatMap { percent -> [Figure] in
            guard let before = Percentile.of(quiet, percent: percent),
                let during = Percentile.of(flooded, percent: percent)
            else { return [] }
            return [
                Figure("\(name).quiet.p\(percent)", before, .milliseconds),
                Figure("\(name).p\(percent)", during, .milliseconds),
                Figure("\(name).ratio.p\(percent)", during / before, .count, bound: .atMost(ratioMax)),
            ]
        }
    }
}

extension LoadRequest {
    private static let json = [("Content-Type", "application/json")]

    static func codeRequest(_ number: String) -> LoadRequest {
        LoadRequest(
            "POST", "/auth/otp/request", headers: json,
            body: Array(#"{"phoneNumber":"\#(number)","countryCode":"US"}"#.utf8))
    }

    static func guess(_ number: String, _ code: String) -> LoadRequest {
        LoadRequest(
            "POST", "/auth/otp/verify", headers: json,
            body: Array(#"{"phoneNumber":"\#(number)","countryCode":"US","code":"\#(code)"}"#.utf8))
    }
}

extension LoadConnection {
    func send(_ request: LoadRequest, expecting status: Int) async throws {
        let answer = try await send(request)
        guard answer.status == status else {
            throw UnexpectedReply(description: "\(request.method) \(request.path): \(answer.status)")
        }
    }
}

import AuthAPI
import FoundationEssentials
import Logging
import RedisClient
import TestSupport

/// A million numbers and addresses, half of each, in a Redis of 128 MB, and what goes on once it is full.
struct FullRedis: Sendable {
    static let megabytes = 128
    private static let numbers = 1_000_000
    private static let numbersPerCall = 5_000
    private static let bucketCount = 16_384
    /// Copied, one after the other.
    private static let valuesMax = 512
    /// The share of `maxmemory` above which no new challenge is made (design section 4).
    private static let nearlyFullPercent = 80.0
    /// Filled so far, only revocations and what exists already may still grow.
    private static let filledPercent = 97.0
    private static let fillerBytes = 250_000
    private static let fillerCallsMax = 1_000
    private static let sessions = 50
    private static let revocationMilliseconds = 100.0
    private static let refusalLimit = Patience.limit

    let stack: StackUnderLoad
    /// The prefix of the figures' names.
    var name = "otp"

    func run() async throws -> [Figure] {
        let connection = try await LoadConnection.open(port: stack.gatewayPort)
        var tokens: [String] = []
        for index in 0..<Self.sessions {
            let way: SignInWay = index.isMultiple(of: 2) ? .phone : .email
            let client = SignInClient(hooks: stack.hooks, by: way)
            tokens.append(try await client.tokens(way.recipient(index), over: connection).accessToken)
        }
        try await withRedis("functions") { redis in _ = try await redis.load([Self.library], now: 0) }
        let figures = try await withRedis("otp") { redis in
            try await fillWithNumbers(redis)
            let used = try await usedMegabytes(redis)
            try await fillUp(redis)
            return [
                Figure(
                    "\(name).memory.million", used, .megabytes,
                    bound: .atMost(Double(Self.megabytes) * Self.nearlyFullPercent / 100)),
                Figure("\(name).full.memory", try await usedMegabytes(redis), .megabytes),
            ]
        }
        try await untilRefused(connection)
        let ends = try await tokens.asyncMap { try await revoke($0, connection) }.sorted()
        await connection.close()
        return figures
            + [50, 99].compactMap { percent in
                Percentile.of(ends, percent: percent).map {
                    Figure(
                        "\(name).full.revocation.p\(percent)", $0, .milliseconds,
                        bound: .atMost(Self.revocationMilliseconds))
                }
            }
    }

    /// Copies the values of those who have signed in: as tags are, spread evenly over the buckets.
    private func fillWithNumbers(_ redis: RedisClient) async throws {
        let values = try await values(redis)
        let function = Self.library.function("fill")
        for start in stride(from: 0, to: Self.numbers, by: Self.numbersPerCall) {
            let arguments = [RedisArgument(start), RedisArgument(Self.numbersPerCall)]
            _ = try await redis.call(function, keys: [], arguments: arguments + values)
        }
    }

    private static let library = RedisLibrary(
        "bench",
        [
            .init(
                "fill",
                """
                for number = tonumber(ARGV[1]), ARGV[1] + ARGV[2] - 1 do
                  local digest = redis.sha1hex(number)
                  local bucket = string.format('otp:2:n:%x', tonumber(string.sub(digest, 1, 4), 16) % 16384)
                  local field = string.gsub(string.sub(digest, 5, 14), '..', function(byte)
                    return string.char(tonumber(byte, 16))
                  end)
                  redis.call('HSET', bucket, field, ARGV[3 + number % (#ARGV - 2)])
                  redis.call('EXPIRE', bucket, 7776000)
                end
                """)
        ])

    /// Returns the values that Redis has for some users who have signed in. Their tags are not known, and otp-service's
    /// account may not search for keys.
    private func values(_ redis: RedisClient) async throws -> [RedisArgument] {
        var values: [RedisArgument] = []
        for bucket in 0..<Self.bucketCount where values.count < Self.valuesMax {
            let bucket = try await redis.send(["HGETALL", .text("otp:2:n:" + String(bucket, radix: 16))])
            for (index, value) in (bucket.arrayValue ?? []).enumerated() where !index.isMultiple(of: 2) {
                value.bytes.map { values.append(RedisArgument($0)) }
            }
        }
        guard values.count > 1 else { throw UnexpectedReply(description: "no number is in Redis") }
        return values
    }

    private func fillUp(_ redis: RedisClient) async throws {
        let block = RedisArgument([UInt8](repeating: 1, count: Self.fillerBytes))
        let full = Double(Self.megabytes) * Self.filledPercent / 100
        for number in 0..<Self.fillerCallsMax {
            guard try await usedMegabytes(redis) < full else { return }
            _ = try await redis.send(["HSET", "otp:filler", RedisArgument(number), block])
        }
    }

    /// Waits until no code is sent any more; then the answer is 503.
    private func untilRefused(_ connection: LoadConnection) async throws {
        var index = Self.sessions
        try await eventually("codes are refused", within: Self.refusalLimit, every: .milliseconds(200)) {
            index += 1
            return try await connection.send(.codeRequest(SignInNumbers.number(index))).status == 503
        }
    }

    /// Milliseconds from the answer of a logout until the token is refused.
    private func revoke(_ token: String, _ connection: LoadConnection) async throws -> Double {
        let bearer = [("Authorization", "Bearer \(token)")]
        try await connection.send(LoadRequest("GET", "/api/hello", headers: bearer), expecting: 200)
        try await connection.send(LoadRequest("POST", "/auth/logout", headers: bearer), expecting: 200)
        let answered = ContinuousClock.now
        while try await connection.send(LoadRequest("GET", "/api/hello", headers: bearer)).status != 401 {
            guard ContinuousClock.now - answered < Self.refusalLimit else {
                throw UnexpectedReply(description: "a session that was signed out is not refused")
            }
        }
        return (ContinuousClock.now - answered) / .milliseconds(1)
    }
}

// MARK: - Redis

extension FullRedis {
    /// Runs `body` with a client of an account of the stack, such as otp-service's own.
    private func withRedis<Value: Sendable>(
        _ user: String, _ body: (RedisClient) async throws -> Value
    ) async throws -> Value {
        let base = try stack.stack.service("redis").base
        guard let port = base.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw UnexpectedReply(description: "Redis' address has no port")
        }
        let secret = stack.stack.dataDirectory + "/secrets/redis_\(user)"
        let password = try String(contentsOfFile: secret, encoding: .utf8).filter { !$0.isWhitespace }
        var configuration = RedisConfiguration(port: port, username: user, password: password)
        configuration.commandTimeout = .seconds(10)
        let redis = RedisClient(configuration, logger: Logger(label: "bench"))
        let running = Task { try await redis.run() }
        do {
            let value = try await body(redis)
            running.cancel()
            try await running.value
            return value
        } catch {
            running.cancel()
            throw error
        }
    }

    private func usedMegabytes(_ redis: RedisClient) async throws -> Double {
        let info = try await redis.send(["INFO", "memory"]).text ?? ""
        let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("used_memory:") } ?? ""
        guard let bytes = Double(line.dropFirst("used_memory:".count)) else {
            throw UnexpectedReply(description: "INFO memory has no used_memory")
        }
        return bytes / 1_048_576
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}

import FoundationEssentials
import RedisClient
import TestSupport

/// A million numbers and addresses, half of each, in a Redis of 128 MB.
enum FullRedis {
    private static let megabytes = 128
    private static let numbers = 1_000_000
    private static let numbersPerCall = 5_000
    private static let bucketCount = 16_384
    /// Copied, one after the other.
    private static let valuesMax = 512
    /// The share of `maxmemory` above which no new challenge is made (design section 4).
    private static let nearlyFullPercent = 80.0
    private static let signIns = 25

    /// Fills the Redis of a stack of its own.
    static func run() async throws -> [Figure] {
        try await StackUnderLoad.run(environment: ["LATCHKEY_REDIS_MEMORY_MB": "\(megabytes)"]) { load in
            for way in [SignInWay.phone, .email] { _ = try await load.signIn(0..<signIns, by: way, connections: 1) }
            try await withRedis(of: load.stack, "functions") { _ = try await $0.load([library], now: 0) }
            let used = try await withRedis(of: load.stack, "otp") { redis in
                try await fillWithNumbers(redis)
                return try await usedMegabytes(redis)
            }
            let most = Double(megabytes) * nearlyFullPercent / 100
            return [Figure("otp.memory.million", used, .megabytes, bound: .atMost(most))]
        }
    }

    /// Copies the values of those who have signed in: as tags are, spread evenly over the buckets.
    private static func fillWithNumbers(_ redis: RedisClient) async throws {
        // Their tags are not known, and otp-service's account may not search for keys.
        var values: [RedisArgument] = []
        for bucket in 0..<bucketCount where values.count < valuesMax {
            let bucket = try await redis.send(["HGETALL", .text("otp:2:n:" + String(bucket, radix: 16))])
            for (index, value) in (bucket.arrayValue ?? []).enumerated() where !index.isMultiple(of: 2) {
                value.bytes.map { values.append(RedisArgument($0)) }
            }
        }
        guard values.count > 1 else { throw UnexpectedReply(description: "no number is in Redis") }
        for start in stride(from: 0, to: numbers, by: numbersPerCall) {
            let arguments = [RedisArgument(start), RedisArgument(numbersPerCall)]
            _ = try await redis.call(library.function("fill"), keys: [], arguments: arguments + values)
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

    /// Runs `body` with a client of an account of the stack, such as otp-service's own.
    private static func withRedis<Value: Sendable>(
        of stack: LatchkeyStack, _ user: String, _ body: (RedisClient) async throws -> Value
    ) async throws -> Value {
        let secret = stack.dataDirectory + "/secrets/redis_\(user)"
        let password = try String(contentsOfFile: secret, encoding: .utf8).filter { !$0.isWhitespace }
        let port = try stack.port(of: try stack.service("redis"))
        return try await withRedisClient(.patient(port: port, username: user, password: password), body)
    }

    private static func usedMegabytes(_ redis: RedisClient) async throws -> Double {
        let info = try await redis.send(["INFO", "memory"]).text ?? ""
        let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("used_memory:") } ?? ""
        guard let bytes = Double(line.dropFirst("used_memory:".count)) else {
            throw UnexpectedReply(description: "INFO memory has no used_memory")
        }
        return bytes / 1_048_576
    }
}

import FoundationEssentials
import Logging
import Policies
import RedisClient
import ServiceKit

/// Checks Redis as the process reaches it: with its own account.
struct DoctorRedis: Sendable {
    private static let limit: Duration = .seconds(3)
    private static let oldestMajor = 7

    let context: ProcessContext
    let library: RedisLibrary

    func findings() async -> [Finding] {
        let redis: RedisClient
        do {
            var configuration = try context.settings.redis()
            configuration.connectionCount = 1
            configuration.commandTimeout = Self.limit
            redis = RedisClient(configuration, logger: Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() })
        } catch { return Finding.faults("redis", error) }
        let running = Task { try await redis.run() }
        defer { running.cancel() }
        do throws(RedisError) {
            let info = Self.values(try await redis.send(["INFO"]).text ?? "")
            let now = Date().timeIntervalSince1970
            let lacks = await redis.lacks(library)
            return Self.judged(info, in: context.settings.environment, now: now)
                + [Self.functions(isMissing: lacks, library.name)] + Self.nodes(try await redis.nodes())
        } catch {
            if let problem = redis.masterProblem {
                return [.fault("redis", "\(problem). Compare REDIS_URL")]
            }
            // The reason why there is no connection says more than that there was none in time.
            let reason = redis.problem.flatMap { $0.isEmpty ? nil : $0 } ?? error.message
            return [Self.unreached(RedisError(error.code, reason))]
        }
    }

    static func unreached(_ error: RedisError) -> Finding {
        switch error.code {
        case .authenticationFailed:
            .fault(
                "redis",
                "Redis refuses the account (\(error.message)). Compare REDIS_USER and the secret of the same name, redis_…, with its ACL"
            )
        case .notConnected, .timeout, .connectionLost:
            .fault("redis", "no reply from REDIS_URL: \(error.message). Is Redis running, and the address right?")
        default: .fault("redis", "Redis: \(error.code.rawValue): \(error.message)")
        }
    }

    /// Judges the servers that the Sentinels name.
    private static func nodes(_ nodes: [RedisNode]) -> [Finding] {
        let name = "redis nodes"
        guard !nodes.isEmpty else { return [] }
        let found = RedisNodeWatch.judged(nodes).map { line -> Finding in
            line.isFault ? .fault(name, line.text) : .warning(name, line.text)
        }
        return found.isEmpty ? [.ok(name, "\(nodes.count) with this account and the same memory")] : found
    }

    static func functions(isMissing: Bool, _ name: String) -> Finding {
        isMissing
            ? .fault("redis functions", "Redis does not have \(name). Run latchkeyctl redis load")
            : .ok("redis functions", name)
    }

    /// The values of `INFO`.
    static func values(_ text: String) -> [String: String] {
        let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Judges the reply to `INFO`: version, eviction, memory, persistence and clock.
    ///
    /// - Parameter now: Unix time in seconds.
    static func judged(_ info: [String: String], in environment: DeploymentEnvironment, now: Double) -> [Finding] {
        let version = info["redis_version"] ?? "?"
        let isOld = (version.split(separator: ".").first.flatMap { Int($0) } ?? 0) < oldestMajor
        var findings: [Finding] = [
            isOld
                ? .fault("redis", "Redis \(version); \(oldestMajor) is the oldest that works")
                : .ok("redis", "Redis \(version)"),
            eviction(info["maxmemory_policy"] ?? "?", in: environment),
            memory(
                used: info["used_memory"].flatMap { Int64($0) } ?? 0, max: info["maxmemory"].flatMap { Int64($0) } ?? 0),
        ]
        if info["redis_mode"] == "cluster" {
            findings.append(
                .fault("redis", "Redis Cluster is not supported. Use one master, with Sentinel if it has to fail over"))
        }
        if info["loading"] == "1" {
            findings.append(.warning("redis", "Redis still reads its file, and refuses all else until it has"))
        }
        if let microseconds = info["server_time_usec"].flatMap({ Double($0) }) {
            findings.append(DoctorClock.judged("clock of redis", offset: microseconds / 1e6 - now, resolution: 0.25))
        }
        return findings
    }

    private static func eviction(_ policy: String, in environment: DeploymentEnvironment) -> Finding {
        let name = "redis eviction"
        guard policy != "noeviction" else { return .ok(name, policy) }
        let text =
            "maxmemory-policy is \(policy), by which revocations and counters can be lost. Set maxmemory-policy noeviction"
        return environment == .production ? .fault(name, text) : .warning(name, text)
    }

    private static func memory(used: Int64, max: Int64) -> Finding {
        let name = "redis memory"
        let usedMB = used >> 20
        guard max > 0 else {
            return .warning(
                name,
                "\(usedMB) MB used, no maxmemory. Set one, so that Redis is not ended when the host's memory is full")
        }
        let text = "\(usedMB) of \(max >> 20) MB used"
        guard used < max / 100 * RedisMemoryWatch.nearlyFullPercent else {
            return .fault(name, "\(text): new codes and sign-ins are refused. Raise maxmemory")
        }
        guard used < max / 100 * RedisMemoryWatch.shortPercent else {
            return .warning(name, "\(text): traces are no longer written. Raise maxmemory")
        }
        return .ok(name, text)
    }
}

import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

extension Faults {
    /// Redis is killed while unrecognised clients request a hundred messages per second. It may lose the part of the sum
    /// that was not in the append-only file yet, at most two seconds.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct SpendRounds {
        private static let price: Int64 = 100
        private static let unrecognisedPart: Int64 = 400 * price
        private static let start: Int64 = 1_800_000_000

        @Test func `a kill of Redis costs at most the last two seconds' messages more`() async throws {
            let run = FaultRun("spend", shortRounds: 2)
            var generator = SeededGenerator(seed: run.seed)
            var most: Int64 = 0
            for number in 1...max(run.rounds, 1) {
                // Codes that a provider makes are paid for alike.
                let till = Till(price: Self.price, makesCodes: number % 2 == 0)
                let (spent, late) = try await round(after: generator.milliseconds(2_200...3_800), till)
                #expect(spent <= Self.unrecognisedPart + late, "round \(number)")
                #expect(spent > Self.unrecognisedPart - Self.price, "round \(number): nothing is left over")
                most = max(most, spent - Self.unrecognisedPart)
                if number % 10 == 0 { run.report("\(number) rounds, at most \(most) more") }
            }
            run.report("at most \(most) more than \(Self.unrecognisedPart)")
        }

        /// - Returns: what was spent in all, and what in the two seconds before the kill.
        private func round(after time: Duration, _ till: Till) async throws -> (spent: Int64, late: Int64) {
            try await withRedisServer(
                configuration: ["appendonly yes", "appendfsync everysec"],
                functions: [CodeFunctions.library.source(loadedAt: 0)]
            ) { server in
                let redis = RedisClient(.patient(port: server.port), logger: Logger(label: "test"))
                let phones = try phones(redis, till)
                let running = Task { try await redis.run() }
                defer { running.cancel() }
                let asking = Task { await Self.ask(phones, till) }
                try await Task.sleep(for: time)
                try await server.kill()
                let killedAt = ContinuousClock.now
                try await server.launch()
                // Until the budget is used up again.
                _ = await asking.value
                return await (till.spent, till.spent(from: killedAt - .seconds(2), to: killedAt))
            }
        }

        /// Sends requests from thousands of addresses until no message has been sent for a while.
        private static func ask(_ phones: PhoneCodes, _ till: Till) async {
            var number = 0
            var refusals = 0
            while refusals < 100 {
                let results = await withTaskGroup(of: OTPRequestResult?.self) { group in
                    for offset in 0..<20 {
                        let request = OTPRequest(
                            phone: "+4420\(79_000_000 + number + offset)", region: nil, purpose: .signIn,
                            address: "203.0.\(number % 250).\(offset)", callID: Hex.encode(SecureRandom.bytes(8)))
                        group.addTask {
                            do { return try await phones.codes(of: nil).request(request).result } catch { return nil }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                number += 20
                refusals = results.contains(.sent) || results.contains(nil) ? 0 : refusals + results.count
                // A hundred a second: the budget holds for longer than Redis may forget.
                do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
            }
        }

        private func phones(_ redis: RedisClient, _ till: Till) throws -> PhoneCodes {
            var otp = OTPPolicy()
            (otp.sendsPerPrefix, otp.sendsPerCountry, otp.sendsInTotal) = ([], [], [])
            var spend = SpendPolicy()
            spend.budget = .init(hour: Self.unrecognisedPart * 100 / 80, day: Self.unrecognisedPart * 100)
            spend.rows = [.init(prefix: SpendPolicy.defaultRow, prices: ["sms": Self.price])]
            let keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")
            let store = RedisChallengeStore(redis: redis, scripts: CodeScripts(otp, spend: spend))
            let parts = CodeParts(
                secrets: CodeSecrets(keys: keys), attestationKeys: keys, hasRoom: { true },
                logger: Logger(label: "test"), now: { Self.start })
            return try #require(
                PhoneCodes(
                    [.init(rules: CodeRules(otp: otp, spend: SpendRules(policy: spend)), store: store)], parts,
                    line: SenderLine([till])))
        }
    }
}

/// Takes each message for its price, and knows when.
private actor Till: MessageSender {
    nonisolated let provider = "till"
    nonisolated let abilities: SenderAbilities
    private let price: Int64
    private var times: [ContinuousClock.Instant] = []

    init(price: Int64, makesCodes: Bool) {
        self.price = price
        abilities = SenderAbilities(channels: ["sms"], contents: [.code], makesCodes: makesCodes)
    }

    var spent: Int64 { Int64(times.count) * price }

    func spent(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Int64 {
        Int64(times.filter { $0 >= start && $0 <= end }.count) * price
    }

    func send(_ message: Message) async throws(DeliveryFailure) -> String {
        times.append(.now)
        return message.id
    }
}

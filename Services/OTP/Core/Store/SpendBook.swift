import Policies
import RedisClient

/// Reads the costs of messages. The scripts of sends and guesses write them (`Scripts/Lua/spend.lua`).
struct SpendBook: Sendable {
    let redis: RedisClient

    /// Returns the counters of the hours and the days in this order, each by name; empty if nothing was counted.
    func counters(
        hours: [Int64], days: [Int64]
    ) async throws(ChallengeStoreFailure) -> (hours: [[String: Int64]], days: [[String: Int64]]) {
        var (ofHours, ofDays): ([[String: Int64]], [[String: Int64]]) = ([], [])
        for hour in hours { ofHours.append(try await read(RedisKeys.spent(hour: hour))) }
        for day in days { ofDays.append(try await read(RedisKeys.spent(day: day))) }
        return (ofHours, ofDays)
    }

    private func read(_ key: String) async throws(ChallengeStoreFailure) -> [String: Int64] {
        do throws(RedisError) {
            let parts = try await redis.send(["HGETALL", .text(key)]).arrayValue ?? []
            var counters: [String: Int64] = [:]
            for index in stride(from: 0, to: parts.count - 1, by: 2) {
                guard let name = parts[index].text, let value = parts[index + 1].text.flatMap({ Int64($0) }) else {
                    continue
                }
                counters[name] = value
            }
            return counters
        } catch {
            throw ChallengeStoreFailure(error)
        }
    }
}

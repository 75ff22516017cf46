import InternalAPI
import RedisClient

/// The stream `audit:otp` in Redis.
struct RedisAuditStream: AuditStream {
    let redis: RedisClient

    /// The answer of Redis is not of the form that XRANGE has.
    struct UnexpectedReply: Error {}

    func oldest(limit: Int) async throws -> [AuditStreamEntry] {
        let reply = try await redis.send(
            ["XRANGE", .text(OTPAuditStream.key), "-", "+", "COUNT", RedisArgument(limit)])
        guard let entries = reply.arrayValue else { throw UnexpectedReply() }
        return try entries.map { entry in
            guard let parts = entry.arrayValue, let id = parts.first?.text, let values = parts.last?.arrayValue else {
                throw UnexpectedReply()
            }
            return AuditStreamEntry(id: id, fields: Self.fields(values))
        }
    }

    func remove(_ entries: [AuditStreamEntry.ID]) async throws {
        guard !entries.isEmpty else { return }
        _ = try await redis.send(["XDEL", .text(OTPAuditStream.key)] + entries.map(RedisArgument.text))
    }

    private static func fields(_ values: [RedisValue]) -> [String: [UInt8]] {
        var fields: [String: [UInt8]] = [:]
        var rest = values[...]
        while let name = rest.popFirst(), let value = rest.popFirst() {
            if let name = name.text, fields[name] == nil { fields[name] = value.bytes }
        }
        return fields
    }
}

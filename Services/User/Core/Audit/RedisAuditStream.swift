import InternalAPI
import RedisClient

/// A stream of audit records in Redis.
struct RedisAuditStream: AuditStream {
    let redis: RedisClient
    var key = OTPAuditStream.key
    /// Distinguishes entries of this stream from entries of another stream with the same id.
    var idPrefix = ""
    /// Writes records to the stream that were collected over time; `nil` if the writer of the records does so.
    var flush: (@Sendable () async throws -> Void)?

    /// The reply of Redis does not have the form of an XRANGE reply.
    struct UnexpectedReply: Error {}

    /// - Throws: also the error that prevented writing the collected records, if the stream contains no others.
    func oldest(limit: Int) async throws -> [AuditStreamEntry] {
        var fault: (any Error)?
        do { try await flush?() } catch { fault = error }
        let entries = try await read(limit)
        if entries.isEmpty, let fault { throw fault }
        return entries
    }

    private func read(_ limit: Int) async throws -> [AuditStreamEntry] {
        let reply = try await redis.send(["XRANGE", .text(key), "-", "+", "COUNT", RedisArgument(limit)])
        guard let entries = reply.arrayValue else { throw UnexpectedReply() }
        return try entries.map { entry in
            guard let parts = entry.arrayValue, let id = parts.first?.text, let values = parts.last?.arrayValue else {
                throw UnexpectedReply()
            }
            return AuditStreamEntry(id: idPrefix + id, fields: Self.fields(values))
        }
    }

    func remove(_ entries: [AuditStreamEntry.ID]) async throws {
        guard !entries.isEmpty else { return }
        let ids = entries.map { RedisArgument.text(String($0.dropFirst(idPrefix.count))) }
        _ = try await redis.send(["XDEL", .text(key)] + ids)
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

internal import RedisClient

/// Notes that the message of an admitted send was not taken by the provider; the send stays counted, since it may have
/// gone out all the same (security guide section 4).
///
/// KEYS and the first four of ARGV as for `RequestScript`.
enum FailedSendScript {
    static let script = RedisScript(
        ScriptFunctions.source + """
            local call, tag = unpack(ARGV, 3)
            if recall(call) then remember(call, 'failed') end
            audit('act', 'request', 'result', 'provider_error', 'number', tag)
            return 1
            """)
}

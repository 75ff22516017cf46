package import RedisClient

/// The gateway's functions in Redis.
package enum GatewayFunctions {
    static let (allowance, lookup) = ("allowance", "lookup")

    package static let library = RedisLibrary(
        "gateway",
        [
            RedisLibrary.Function(allowance, allowanceBody),
            RedisLibrary.Function(lookup, lookupBody, .reads),
        ])

    /// KEYS: the window's count in each block. ARGV: the number of requests wanted, seconds until the window ends, each count's
    /// limit.
    private static let allowanceBody = """
        local granted = tonumber(ARGV[1])
        for index, key in ipairs(KEYS) do
          local used = tonumber(redis.call('GET', key) or '0')
          granted = math.min(granted, tonumber(ARGV[index + 2]) - used)
        end
        if granted <= 0 then return 0 end
        for _, key in ipairs(KEYS) do
          redis.call('INCRBY', key, granted)
          redis.call('EXPIRE', key, ARGV[2])
        end
        return granted
        """

    /// Reads the mark and the entries in one function, so that they come from one server at one moment. It only reads, because the
    /// gateway has no right to write the list (Redis ACL, `%R~`).
    private static let lookupBody = """
        local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
        return {run or '', redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or '',
            redis.call('EXISTS', KEYS[3]), redis.call('GET', KEYS[4]) or ''}
        """
}

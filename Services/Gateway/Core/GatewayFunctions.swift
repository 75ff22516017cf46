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
    /// gateway has no right to write the list (Redis ACL, `%R~`). A replica answers as it does to a write, so that the client closes
    /// the connection.
    private static let lookupBody = """
        local info = redis.call('INFO', 'server', 'replication')
        if not string.find(info, 'role:master', 1, true) then return redis.error_reply('READONLY this is a replica') end
        local run, history = string.match(info, 'run_id:(%w+)'), string.match(info, 'master_replid:(%w+)')
        return {run and history and run .. '.' .. history or '', redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or '',
            redis.call('EXISTS', KEYS[3]), redis.call('GET', KEYS[4]) or ''}
        """
}

package import RedisClient

/// token-service's functions in Redis, for changes that must happen there in one step.
package enum TokenFunctions {
    static let write = library.function("write")
    static let finish = library.function("finish")
    static let refreshLimit = library.function("refresh_limit")

    package static let library = RedisLibrary(
        "token",
        [
            RedisLibrary.Function("write", writeBody), RedisLibrary.Function("finish", finishBody),
            RedisLibrary.Function("refresh_limit", refreshLimitBody),
        ])

    /// Writes keys, their places in the index and, if requested, stream entries, and removes expired keys from the index. KEYS: the
    /// stream, the index, then a key for each; ARGV: 1 for entries, entries kept, now, then kind, id, value, until and TTL of each.
    /// A version is never lowered, an expiry never brought forward. Returns the number written.
    private static let writeBody = """
        local count = 0
        for i = 3, #KEYS do
            local at = 4 + (i - 3) * 5
            local kind, value, name = ARGV[at], ARGV[at + 2], 'reason'
            if kind == 'ver' then
                name = 'ver'
                local known = redis.call('GET', KEYS[i])
                if known and tonumber(known) > tonumber(value) then value = known end
            end
            redis.call('SET', KEYS[i], value, 'EX', ARGV[at + 4])
            redis.call('ZADD', KEYS[2], 'GT', ARGV[at + 3], KEYS[i])
            if ARGV[1] == '1' then
                redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'kind', kind, 'id', ARGV[at + 1],
                    name, value, 'until', ARGV[at + 3])
            end
            count = count + 1
        end
        -- Last: what is written is never lost for the sake of what has ended.
        redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
        return count
        """

    /// Sets the mark if the nonce is still the rebuild's own, and adds an entry about it to the stream. KEYS: nonce, mark, stream;
    /// ARGV: nonce, mark, kind of the entry.
    private static let finishBody = """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        redis.call('SET', KEYS[2], ARGV[2])
        redis.call('XADD', KEYS[3], '*', 'kind', ARGV[3])
        redis.call('DEL', KEYS[1])
        return 1
        """

    /// Counts a refresh against the times of a user's last ones, newest first. KEYS: the list; ARGV: number, window in ms. Returns
    /// 0, or the milliseconds until another refresh fits.
    private static let refreshLimitBody = """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local max, window = tonumber(ARGV[1]), tonumber(ARGV[2])
        local oldest = redis.call('LINDEX', KEYS[1], max - 1)
        -- An entry from the future is from before the clock of Redis was set back.
        if oldest and tonumber(oldest) <= now and oldest + window > now then return oldest + window - now end
        if redis.call('LPUSH', KEYS[1], now) > max then redis.call('LTRIM', KEYS[1], 0, max - 1) end
        redis.call('PEXPIRE', KEYS[1], window)
        return 0
        """
}

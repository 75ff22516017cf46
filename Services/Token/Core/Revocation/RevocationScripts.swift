import RedisClient

/// What must happen in Redis in one step.
enum RevocationScripts {
    /// Writes keys, their places in the index and, if asked, stream entries; takes what has ended out of the index. KEYS:
    /// the stream, the index, then a key for each; ARGV: 1 for entries, entries kept, now, then kind, id, value, until and
    /// TTL of each. A version is never lowered, an end never brought forward. Answers the number written.
    static let write = RedisScript(
        """
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
        -- Last: behind a command that frees memory Redis would let a script write though its memory is full.
        redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
        return count
        """)

    /// Sets the mark if the nonce is still the rebuild's own, and says so in the stream. KEYS: nonce, mark, stream;
    /// ARGV: nonce, mark, kind of the entry.
    static let finish = RedisScript(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        redis.call('SET', KEYS[2], ARGV[2])
        redis.call('XADD', KEYS[3], '*', 'kind', ARGV[3])
        redis.call('DEL', KEYS[1])
        return 1
        """)
}

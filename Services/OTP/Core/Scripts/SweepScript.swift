import RedisClient

/// Drops from a bucket what no longer counts; buckets have no timer for each of their numbers.
///
/// KEYS: bucket, refusals, audit. ARGV: now. Answers how many values have gone or shrunk.
enum SweepScript {
    static let head = """
        local now = tonumber(ARGV[1])
        local bucketKey, refusalsKey, auditKey = unpack(KEYS)

        """

    static let source = """
        flushRefusals()
        local values, changed, longest = redis.call('HGETALL', bucketKey), 0, 0
        for index = 1, #values, 2 do
          local state = prune(unpackState(values[index + 1]))
          local text = packState(state)
          if text == '' then
            redis.call('HDEL', bucketKey, values[index])
          else
            longest = math.max(longest, stateLife(state))
            if #text < #values[index + 1] then redis.call('HSET', bucketKey, values[index], text) end
          end
          if #text < #values[index + 1] then changed = changed + 1 end
        end
        if longest > 0 then redis.call('EXPIRE', bucketKey, longest) end
        return changed
        """
}

import RedisClient

/// Makes a number a stranger at the networks from which it signed in, up to a day; what was counted of it stays.
///
/// KEYS: bucket, the number's own key. ARGV: now, field, day. Answers `{'forgotten'}`.
enum ForgetNetworksScript {
    static let head = """
        local now, field, day = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
        local bucketKey, ownKey = unpack(KEYS)

        """

    static let source = """
        local kept = {}
        for _, known in ipairs(state.known) do
          if known.day > day then kept[#kept + 1] = known end
        end
        if #kept == #state.known then return { 'forgotten' } end
        state.known = kept
        if packState(state) == '' then
          redis.call('HDEL', bucketKey, field)
          redis.call('DEL', ownKey)
        else
          save()
        end
        return { 'forgotten' }
        """
}

internal import RedisClient

/// Counts a send and opens the number's challenge, or refuses; atomically.
///
/// KEYS: number, challenge, address, refusals, audit. ARGV: rules, now, call, number tag, challenge id, proof.
/// Answers `{'send', challenge id}`, `{'repeated', 'sent' | 'failed'}` or `{'limited', rule, seconds}`.
enum RequestScript {
    static let script = RedisScript(
        ScriptFunctions.source + """
            local call, tag, newID, newProof = unpack(ARGV, 3)

            local earlier = recall(call)
            if earlier then return { 'repeated', earlier } end

            -- Refuse before anything is counted: a refused request must not prolong its own refusal.
            local sends, attempts, failures, locked = readNumber()
            local windows = addressWindows('sends', rules.addressSends)
            for _, limit in ipairs({
              { 'lockout', locked - now }, { 'phone', slidingWait(sends, rules.sends) }, { 'ip', addressWait(windows) },
            }) do
              if limit[2] > 0 then
                auditRefusal('request', 'rate_limited')
                return { 'limited', limit[1], limit[2] }
              end
            end

            sends[#sends + 1] = now
            keepNumber(sends, attempts, failures, locked)
            countAddress(windows)

            -- A code that can still be used is sent again; one that is expired, used or guessed at too often never is.
            local old = redis.call('HMGET', challengeKey, 'id', 'expires', 'attempts', 'approved')
            local id = old[1]
            if not id or tonumber(old[2]) <= now or tonumber(old[3]) >= rules.challengeAttempts or old[4] then
              id = newID
              redis.call('HSET', challengeKey, 'id', id, 'proof', newProof, 'expires', now + rules.lifetime,
                'attempts', 0)
              -- Calls of the old challenge are forgotten with it: repeated, they must not speak for the new one.
              redis.call('HDEL', challengeKey, 'approved', 'calls')
              redis.call('EXPIRE', challengeKey, rules.lifetime + rules.recordOutlives)
            end
            remember(call, 'sent')
            audit('act', 'request', 'result', 'sent', 'number', tag, 'challenge', id)
            return { 'send', id }
            """)
}

internal import RedisClient

/// Counts a guess, then compares it; atomically.
///
/// The guess and the challenge's code are compared as HMACs under a key that Redis does not have.
/// KEYS: number, challenge, address, refusals, audit. ARGV: rules, now, call, number tag, proof.
/// Answers `{'approved', challenge id, until}`, `{'limited', rule, seconds}` or `{result}`.
enum VerifyScript {
    static let script = RedisScript(
        ScriptFunctions.source + """
            local call, tag, proof = unpack(ARGV, 3)

            local function refuse(result, ...)
              auditRefusal('verify', result)
              return { ... }
            end

            local challenge = redis.call('HMGET', challengeKey, 'id', 'proof', 'expires', 'attempts', 'approved')
            local id, right, expires, tries, approved = unpack(challenge)

            local earlier = recall(call)
            if earlier == 'approved' and approved and tonumber(approved) > now then
              return { 'approved', id, tonumber(approved) }
            elseif earlier == 'approved' then
              return { 'used' }
            elseif earlier == 'wrong' then
              return { 'wrong_code' }
            end

            -- Every call counts for the address, those too that are refused below.
            local windows = addressWindows('attempts', rules.addressAttempts)
            local wait = addressWait(windows)
            if wait > 0 then return refuse('too_many_attempts', 'limited', 'ip', wait) end
            countAddress(windows)

            -- Lockouts come before the comparison, so that they hold for the right code too, whenever it was sent.
            local sends, attempts, failures, locked = readNumber()
            if locked > now then return refuse('too_many_attempts', 'limited', 'lockout', locked - now) end
            wait = slidingWait(attempts, rules.attempts)
            if wait > 0 then return refuse('too_many_attempts', 'limited', 'phone', wait) end

            if not id then return refuse('unknown', 'unknown') end
            if not approved and tonumber(expires) <= now then return refuse('expired', 'expired') end
            if tonumber(tries) >= rules.challengeAttempts then
              -- Waiting helps as soon as another code can be asked for.
              wait = math.max(1, slidingWait(sends, rules.sends))
              return refuse('too_many_attempts', 'limited', 'challenge', wait)
            end

            -- Counted first: whatever happens from here on, this guess is spent.
            attempts[#attempts + 1] = now
            keepNumber(sends, attempts, failures, locked)
            redis.call('HINCRBY', challengeKey, 'attempts', 1)

            if proof ~= right then
              failures[#failures + 1] = now
              table.sort(failures)
              for _, lockout in ipairs(rules.lockouts) do
                local first = failures[#failures - lockout[1] + 1]
                if first and now - first < lockout[2] then locked = math.max(locked, now + lockout[3]) end
              end
              keepNumber(sends, attempts, failures, locked)
              remember(call, 'wrong')
              audit('act', 'verify', 'result', 'wrong_code', 'number', tag, 'challenge', id)
              if locked > now then audit('act', 'lockout', 'result', 'locked', 'number', tag, 'until', locked) end
              return { 'wrong_code' }
            end

            if not approved then
              approved = now + rules.approved
              redis.call('HSET', challengeKey, 'approved', approved)
              remember(call, 'approved')
              audit('act', 'verify', 'result', 'approved', 'number', tag, 'challenge', id)
              return { 'approved', id, approved }
            elseif tonumber(approved) > now then
              -- The same success once more takes nothing from what is left for guesses.
              attempts[#attempts] = nil
              keepNumber(sends, attempts, failures, locked)
              redis.call('HINCRBY', challengeKey, 'attempts', -1)
              return { 'approved', id, tonumber(approved) }
            end
            return refuse('used', 'used')
            """)
}

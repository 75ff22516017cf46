import InternalAPI
import RedisClient

/// Counts a guess, then compares it; atomically.
///
/// The guess and the challenge's code are compared as HMACs under a key that Redis does not have.
/// KEYS and ARGV as `CallLua` says; the operation's own: proof of the guess.
/// Answers `{'approved', created, seed, until}`, `{'limited', rule, seconds}` or `{result}`.
enum VerifyScript {
    static let source = """
        local proof = ARGV[8]
        local challenge = openChallenge()
        local approvedUntil = challenge and challenge.approved and challenge.approved + rules.approved

        local function refuse(result, ...)
          countRefusal('verify ' .. result .. ' ' .. scopeName)
          return { ... }
        end

        local function approval() return { 'approved', challenge.created, challenge.seed, approvedUntil } end

        local earlier = earlierCall(RIGHT, WRONG)
        if earlier and earlier.kind == WRONG then return { 'wrong_code' } end
        if earlier then
          if approvedUntil and approvedUntil > now and challenge.proof == proof then return approval() end
          return { 'used' }
        end

        -- Lockouts come before the comparison, so that they hold for the right code too, whenever it was sent.
        local addressRule, addressWait = longestWait({})
        local rule, wait = longestWait({
          { 'lockout', state.locked[scope] - now }, { 'phone', slidingWait(times(RIGHT, WRONG), rules.attempts) },
        })
        -- Every call counts for the address, those too that something else refuses.
        if not addressRule then countWindows() end
        if rule then return refuse(rule, 'limited', rule, wait) end

        if not challenge then return refuse('unknown', 'unknown') end
        if not challenge.approved and challenge.created + rules.lifetime <= now then return refuse('expired', 'expired') end
        if challenge.tries[scope] >= rules.tries then
          -- Waiting helps as soon as another code can be asked for.
          wait = math.max(1, slidingWait(times(SENT, FAILED), rules.sends))
          if scope == STRANGER and challenge.wanted and challenge.tries[KNOWN] < rules.tries then
            wait = math.max(wait, (approvedUntil or challenge.created + rules.lifetime) - now)
          end
          return refuse('challenge', 'limited', 'challenge', wait)
        end

        -- The same success once more takes nothing from what is left for guesses.
        if approvedUntil and approvedUntil > now and challenge.proof == proof then return approval() end

        -- Counted first, as a wrong one: whatever happens from here on, this guess is spent.
        local guess = { kind = WRONG, scope = scope, time = now, call = call }
        state.events[#state.events + 1] = guess
        challenge.tries[scope] = challenge.tries[scope] + 1

        if proof ~= challenge.proof then
          local failures = times(WRONG, WRONG)
          table.sort(failures)
          for _, lockout in ipairs(rules.lockouts) do
            local first = failures[#failures - lockout[1] + 1]
            if first and now - first < lockout[2] then state.locked[scope] = math.max(state.locked[scope], now + lockout[3]) end
          end
          save()
          audit(now, '\(OTPAuditEvent.wrongCode.rawValue)', subject, scopeName)
          if state.locked[scope] > now then
            audit(now, '\(OTPAuditEvent.locked.rawValue)', subject, scopeName .. ' ' .. state.locked[scope] - now)
          end
          return { 'wrong_code' }
        end

        guess.kind = RIGHT
        if challenge.approved then
          save()
          return refuse('used', 'used')
        end
        challenge.approved = math.max(now, challenge.created)
        approvedUntil = challenge.approved + rules.approved
        -- From here the number is known at this address block.
        local known = { { block = block, day = floor(now / 86400) } }
        for _, other in ipairs(state.known) do
          if other.block ~= block and #known < rules.knownMax then known[#known + 1] = other end
        end
        state.known = known
        save()
        audit(now, '\(OTPAuditEvent.approved.rawValue)', subject, scopeName)
        return approval()
        """
}

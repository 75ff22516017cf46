import InternalAPI

/// Lua functions that the scripts of both operations begin with: the call's arguments, limits, the number's state.
///
/// Time comes from the service's clock as an argument, in Unix seconds: so a test can set it, and a step of Redis' own
/// clock moves no lockout.
/// KEYS: bucket, the number's own key, refusals, audit, then one for each window.
/// ARGV: now, field, subject, place (`ChallengePlace`), call, address block, '1' if vouched for, two of the operation's own, then for each
/// window: rule, field, max for strangers, max for known callers or '' if it does not hold for them, end.
enum CallLua {
    static let source = """
        local now, field, subject, place = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4])
        local call, block, isVouchedFor = ARGV[5], ARGV[6], ARGV[7] == '1'
        local bucketKey, ownKey, refusalsKey, auditKey = unpack(KEYS, 1, 4)

        """

    /// A tag of the run of Redis that the script is in.
    ///
    /// A Redis that ends may forget the last guesses that it has acknowledged, and keep the code that they were about. So a
    /// challenge holds in the run that made it, and in no later one (security guide I-5).
    static let run = """
        local digits = string.match(redis.call('INFO', 'server'), 'run_id:(%x%x%x%x)')
        local run = string.char(tonumber(string.sub(digits, 1, 2), 16), tonumber(string.sub(digits, 3, 4), 16))


        """

    /// The number's state, and the function that writes it.
    static let number = """
        local inBucket = redis.call('HGET', bucketKey, field)
        local inOwn = not inBucket and redis.call('GET', ownKey)
        local state = prune(unpackState(inBucket or inOwn or nil))

        local function save()
          table.sort(state.events, function(a, b) return a.time < b.time end)
          local text, life = packState(state), stateLife(state)
          if #text <= \(NumberStateLua.bucketValueBytesMax) then
            redis.call('HSET', bucketKey, field, text)
            if redis.call('TTL', bucketKey) < life then redis.call('EXPIRE', bucketKey, life) end
            if inOwn then redis.call('DEL', ownKey) end
          else
            redis.call('SET', ownKey, text, 'EX', life)
            if inBucket then redis.call('HDEL', bucketKey, field) end
          end
        end


        """

    static let functions = """
        -- Known: a token of the number's owner came with the call, or the number signed in from there not long ago.
        local scope = isVouchedFor and KNOWN or STRANGER
        for _, known in ipairs(state.known) do
          if known.block == block then scope = KNOWN end
        end
        local scopeName = scope == KNOWN and 'known' or 'stranger'

        local function openChallenge()
          for index, challenge in ipairs(state.challenges) do
            if challenge.place == place then return challenge.run == run and challenge or nil, index end
          end
          return nil, #state.challenges + 1
        end

        -- An earlier call with the same tag, so that its repeat is neither counted nor sent again.
        local function earlierCall(first, last)
          for _, event in ipairs(state.events) do
            if event.call == call and event.kind >= first and event.kind <= last then return event end
          end
        end

        -- When events of these kinds happened in the call's scope, oldest first.
        local function times(first, last)
          local list = {}
          for _, event in ipairs(state.events) do
            if event.scope == scope and event.kind >= first and event.kind <= last then list[#list + 1] = event.time end
          end
          return list
        end

        -- Sliding windows: seconds until one more event fits under each limit, 0 when it fits now. It fits when the
        -- max-th newest event has left the window, so after that wait it really does.
        local function slidingWait(list, limits)
          local longest = 0
          for _, limit in ipairs(limits) do
            local blocking = list[#list - limit[1] + 1]
            if blocking then longest = math.max(longest, blocking + limit[2] - now) end
          end
          return longest
        end

        -- Fixed windows of the clock, one counter each, for what may have a million events: addresses, prefixes,
        -- countries. At the edge of two windows twice the limit can pass.
        local windows = {}
        for index = 5, #KEYS do
          local rule, name, strangersMax, knownMax, ends = unpack(ARGV, 10 + (index - 5) * 5, 14 + (index - 5) * 5)
          local max = tonumber(scope == STRANGER and strangersMax or knownMax)
          if max then
            windows[#windows + 1] = { key = KEYS[index], rule = rule, field = name, max = max, ends = tonumber(ends) }
          end
        end

        local function countWindows()
          for _, window in ipairs(windows) do
            redis.call('HINCRBY', window.key, window.field, 1)
            redis.call('EXPIRE', window.key, math.max(1, window.ends - now))
          end
        end

        -- The rule that makes the call wait longest, among these and the windows: after that wait nothing refuses it.
        local function longestWait(waits)
          for _, window in ipairs(windows) do
            local count = tonumber(redis.call('HGET', window.key, window.field)) or 0
            if count >= window.max then waits[#waits + 1] = { window.rule, window.ends - now } end
          end
          local longest = { nil, 0 }
          for _, wait in ipairs(waits) do
            if wait[2] > longest[2] then longest = wait end
          end
          return unpack(longest)
        end

        flushRefusals()
        if redis.call('XLEN', auditKey) >= \(OTPAuditStream.entriesMax) then return { 'audit_full' } end


        """
}

/// Lua functions that all scripts begin with.
///
/// Time comes from the service's clock as an argument, in Unix seconds: so a test can set it, and a step of Redis' own
/// clock moves no lockout. Replicas may be some seconds apart; lists are therefore sorted, never assumed to be.
enum ScriptFunctions {
    /// Calls that a challenge remembers; more than the policy's sends and attempts together on one challenge.
    static let callsMax = 16
    /// Entries of the audit stream; the oldest go when nobody fetches them.
    static let auditEntriesMax = 100_000

    static let source = """
        local rules, now = cjson.decode(ARGV[1]), tonumber(ARGV[2])
        local numberKey, challengeKey, addressKey, refusalsKey, auditKey = unpack(KEYS)

        -- '1700000000,1700000060' as a list, oldest first.
        local function times(text)
          local list = {}
          for time in string.gmatch(text or '', '%d+') do list[#list + 1] = tonumber(time) end
          table.sort(list)
          return list
        end

        -- What is left of a list when only the last 'memory' seconds count.
        local function recent(list, memory)
          local kept = {}
          for _, time in ipairs(list) do
            if time + memory > now then kept[#kept + 1] = time end
          end
          return kept
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

        -- Fixed windows, each begun by its first event: an address may have a million events, of which one counter is
        -- kept for each limit. At the edge of two windows twice the limit can pass.
        local function addressWindows(kind, limits)
          local windows = {}
          for index, limit in ipairs(limits) do
            local field = kind .. limit[2]
            local start, count = string.match(redis.call('HGET', addressKey, field) or '', '(%d+),(%d+)')
            start, count = tonumber(start), tonumber(count)
            if not start or start + limit[2] <= now then start, count = now, 0 end
            windows[index] = { field = field, start = start, count = count, max = limit[1], ends = start + limit[2] }
          end
          return windows
        end

        local function addressWait(windows)
          local longest = 0
          for _, window in ipairs(windows) do
            if window.count >= window.max then longest = math.max(longest, window.ends - now) end
          end
          return longest
        end

        local function countAddress(windows)
          local memory = redis.call('TTL', addressKey)
          for _, window in ipairs(windows) do
            redis.call('HSET', addressKey, window.field, window.start .. ',' .. window.count + 1)
            memory = math.max(memory, window.ends - now)
          end
          if #windows > 0 then redis.call('EXPIRE', addressKey, memory) end
        end

        -- Writes the number's lists back; they live as long as something in them counts.
        local function keepNumber(sends, attempts, failures, locked)
          local ttl = math.max(1, locked - now)
          if #sends > 0 then ttl = math.max(ttl, rules.sendMemory) end
          if #attempts > 0 or #failures > 0 then ttl = math.max(ttl, rules.attemptMemory) end
          redis.call('HSET', numberKey, 'sends', table.concat(sends, ','), 'attempts', table.concat(attempts, ','),
            'failures', table.concat(failures, ','), 'locked', locked)
          redis.call('EXPIRE', numberKey, ttl)
        end

        local function readNumber()
          local fields = redis.call('HMGET', numberKey, 'sends', 'attempts', 'failures', 'locked')
          return recent(times(fields[1]), rules.sendMemory), recent(times(fields[2]), rules.attemptMemory),
            recent(times(fields[3]), rules.attemptMemory), tonumber(fields[4]) or 0
        end

        -- The result of an earlier call with the same tag, so that its repeat is neither counted nor sent again.
        local function recall(call)
          return string.match(redis.call('HGET', challengeKey, 'calls') or '', call .. '=(%a+)')
        end

        local function remember(call, result)
          local calls = { call .. '=' .. result }
          for earlier in string.gmatch(redis.call('HGET', challengeKey, 'calls') or '', '[^ ]+') do
            if #calls < \(callsMax) and string.sub(earlier, 1, #call) ~= call then calls[#calls + 1] = earlier end
          end
          redis.call('HSET', challengeKey, 'calls', table.concat(calls, ' '))
        end

        local function audit(...)
          redis.call('XADD', auditKey, 'MAXLEN', '~', \(auditEntriesMax), '*', 'at', now, ...)
        end

        -- Refusals are counted by minute, so that a flood of them cannot push acts out of the stream: the first one of
        -- a later minute writes the counts of the minute before.
        local function auditRefusal(act, result)
          local minute = now - now % 60
          local open = tonumber(redis.call('HGET', refusalsKey, 'minute')) or minute
          if open ~= minute then
            local counts = redis.call('HGETALL', refusalsKey)
            redis.call('DEL', refusalsKey)
            for index = 1, #counts, 2 do
              local openAct, openResult = string.match(counts[index], '(%a+):([%a_]+)')
              if openAct then
                audit('act', openAct, 'result', openResult, 'minute', open, 'count', counts[index + 1])
              end
            end
          end
          redis.call('HSET', refusalsKey, 'minute', minute)
          redis.call('HINCRBY', refusalsKey, act .. ':' .. result, 1)
        end


        """
}

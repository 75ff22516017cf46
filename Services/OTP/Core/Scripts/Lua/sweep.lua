-- Removes entries from a bucket that no longer count, because buckets have no timer for each of their numbers.
-- KEYS: refusals, audit, bucket. Answers: changed, how many values were removed or became shorter.

local function sweep(keys, words)
  local rules, now = rulesOf(table.remove(words)), tonumber(readCall(words).now)
  flushRefusals(keys, now)
  local values, changed, longest = redis.call('HGETALL', keys[3]), 0, 0
  for index = 1, #values, 2 do
    local number = prune(readNumber(values[index + 1], now, rules), now, rules)
    local value = numberValue(number)
    if not value then
      redis.call('HDEL', keys[3], values[index])
    else
      longest = math.max(longest, numberLife(number, now, rules))
      if #value < #values[index + 1] then redis.call('HSET', keys[3], values[index], value) end
    end
    if not value or #value < #values[index + 1] then changed = changed + 1 end
  end
  if longest > 0 then redis.call('EXPIRE', keys[3], longest) end
  return answer({ changed = changed })
end

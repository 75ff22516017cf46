-- Removes entries from a bucket that no longer count, because buckets have no timer for each of their numbers.
-- KEYS: refusals, audit, bucket. ARGV: now. Returns how many values were removed or became shorter.

local bucketKey = KEYS[3]
local values, changed, longest = redis.call('HGETALL', bucketKey), 0, 0
for index = 1, #values, 2 do
  local number = prune(readNumber(values[index + 1]))
  local value = numberValue(number)
  if not value then
    redis.call('HDEL', bucketKey, values[index])
  else
    longest = math.max(longest, numberLife(number))
    if #value < #values[index + 1] then redis.call('HSET', bucketKey, values[index], value) end
  end
  if not value or #value < #values[index + 1] then changed = changed + 1 end
end
if longest > 0 then redis.call('EXPIRE', bucketKey, longest) end
return changed

-- The place of a number's value: in a hash with others, which Redis keeps as one block of memory, or, with a long history, under a
-- separate key.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field.
-- Uses: number.lua. Gives: number, save, markChannel.

local bucketKey, ownKey, field = KEYS[3], KEYS[4], ARGV[2]
local inBucket = redis.call('HGET', bucketKey, field)
local inOwn = not inBucket and redis.call('GET', ownKey)
local number = prune(readNumber(inBucket or inOwn or nil))

local function save()
  table.sort(number.events, function(a, b) return a.time < b.time end)
  local value, life = numberValue(number), numberLife(number)
  if not value then
    redis.call('HDEL', bucketKey, field)
    redis.call('DEL', ownKey)
  elseif #value <= rules.bucketValueBytesMax then
    redis.call('HSET', bucketKey, field, value)
    if redis.call('TTL', bucketKey) < life then redis.call('EXPIRE', bucketKey, life) end
    if inOwn then redis.call('DEL', ownKey) end
  else
    redis.call('SET', ownKey, value, 'EX', life)
    if inBucket then redis.call('HDEL', bucketKey, field) end
  end
end

-- Remembers for a day that a channel is bad for the number, or, with LATE added, that others are tried before it.
local function markChannel(channel)
  local known
  for _, bad in ipairs(number.bad) do
    if bad.channel == channel then known = bad end
  end
  if not known then
    known = { channel = channel }
    number.bad[#number.bad + 1] = known
  end
  known.ends = now + 86400
end

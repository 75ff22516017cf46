-- Reads or changes the delivery status of one address.
-- KEYS: the address's value, and the mails held back. ARGV: word, time of the mail in question, seconds of the block, now, kind of
-- an account mail.
-- The value: `b<time>` blocks all mail. `p<time>:<end>` is a complaint, which lets account mails pass once an earlier block has
-- ended. `c<time>` states that the block was cleared. The time is that of the mail that the report was about. The value expires
-- with the block.
-- Returns {word}, or for `standing` one of `free`, `barred` and `complained`, then seconds left, mails held back, kind, time of the
-- last.

local word, time, seconds, now, kind = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local known = redis.call('GET', KEYS[1])
local state = known and string.sub(known, 1, 1)
local knownTime = known and tonumber(string.match(known, '%d+'))
local isBarred = state == 'b' or state == 'p'
local left = isBarred and redis.call('TTL', KEYS[1]) or 0
local bounceEnd = state == 'b' and now + left or state == 'p' and tonumber(string.match(known, ':(%d+)')) or 0

if word == 'read' then return { isBarred and 'barred' or 'free' } end

if word == 'account' then
  if bounceEnd <= now then return { 'free' } end
  redis.call('HINCRBY', KEYS[2], 'count', 1)
  redis.call('HSET', KEYS[2], 'kind', kind, 'at', ARGV[4])
  redis.call('EXPIRE', KEYS[2], 2592000)
  return { 'barred' }
end

if word == 'standing' then
  local swallowed = redis.call('HMGET', KEYS[2], 'count', 'kind', 'at')
  local standing = bounceEnd > now and 'barred' or isBarred and 'complained' or 'free'
  return { standing, left, tonumber(swallowed[1]) or 0, swallowed[2] or '', tonumber(swallowed[3]) or 0 }
end

if word == 'delivered' or word == 'clear' then
  if not isBarred or word == 'delivered' and time <= knownTime then return { 'unchanged' } end
  redis.call('SET', KEYS[1], 'c' .. string.format('%d', math.max(time, knownTime)), 'KEEPTTL')
  return { 'cleared' }
end

-- A bounce that is reported again after it was cleared is about the same mail, or an earlier one.
if knownTime and (time < knownTime or not isBarred and time == knownTime) then return { 'unchanged' } end
local value = 'b' .. ARGV[2]
if word == 'complain' then
  -- A later mail that was reported as spam has arrived.
  if knownTime and time > knownTime then bounceEnd = 0 end
  value = 'p' .. ARGV[2] .. ':' .. string.format('%d', bounceEnd)
elseif state == 'p' then
  value = 'p' .. ARGV[2] .. ':' .. string.format('%d', now + seconds)
end
redis.call('SET', KEYS[1], value, 'EX', string.format('%d', math.max(seconds, left)))
return { 'barred' }

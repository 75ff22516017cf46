-- Reads or changes the delivery status of one address.
-- KEYS: the address's value, and the mails held back. The call: word, time of the mail in question, seconds of the block, now, kind
-- of an account mail.
-- The value: `b<time>` blocks all mail. `p<time>:<end>` is a complaint, which lets account mails pass once an earlier block has
-- ended. `c<time>` states that the block was cleared. The time is that of the mail that the report was about. The value expires
-- with the block.
-- Answers: result, for `standing` one of `free`, `barred` and `complained` with seconds left, and count, kind and time of the mails
-- held back.

local call = readCall(ARGV)
local word, time, now = call.word, tonumber(call.time), tonumber(call.now)
local known = redis.call('GET', KEYS[1])
local state = known and string.sub(known, 1, 1)
local knownTime = known and tonumber(string.match(known, '%d+'))
local isBarred = state == 'b' or state == 'p'
local left = isBarred and redis.call('TTL', KEYS[1]) or 0
local bounceEnd = state == 'b' and now + left or state == 'p' and tonumber(string.match(known, ':(%d+)')) or 0

if word == 'read' then return answer({ result = isBarred and 'barred' or 'free' }) end

if word == 'account' then
  if bounceEnd <= now then return answer({ result = 'free' }) end
  redis.call('HINCRBY', KEYS[2], 'count', 1)
  redis.call('HSET', KEYS[2], 'kind', call.kind, 'at', call.now)
  redis.call('EXPIRE', KEYS[2], 2592000)
  return answer({ result = 'barred' })
end

if word == 'standing' then
  local held = redis.call('HMGET', KEYS[2], 'count', 'kind', 'at')
  local result = bounceEnd > now and 'barred' or isBarred and 'complained' or 'free'
  return answer({
    result = result, seconds = left, count = tonumber(held[1]) or 0, kind = held[2] or '', time = tonumber(held[3]) or 0,
  })
end

if word == 'delivered' or word == 'clear' then
  if not isBarred or word == 'delivered' and time <= knownTime then return answer({ result = 'unchanged' }) end
  redis.call('SET', KEYS[1], 'c' .. string.format('%d', math.max(time, knownTime)), 'KEEPTTL')
  return answer({ result = 'cleared' })
end

-- A bounce that is reported again after it was cleared is about the same mail, or an earlier one.
if knownTime and (time < knownTime or not isBarred and time == knownTime) then return answer({ result = 'unchanged' }) end
local value, seconds = 'b' .. call.time, tonumber(call.seconds)
if word == 'complain' then
  -- A later mail that was reported as spam has arrived.
  if knownTime and time > knownTime then bounceEnd = 0 end
  value = 'p' .. call.time .. ':' .. string.format('%d', bounceEnd)
elseif state == 'p' then
  value = 'p' .. call.time .. ':' .. string.format('%d', now + seconds)
end
redis.call('SET', KEYS[1], value, 'EX', string.format('%d', math.max(seconds, left)))
return answer({ result = 'barred' })

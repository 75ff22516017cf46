-- Counts a proof with which a signed-in user shows again who they are, before it is judged, or returns how long to wait.
-- KEYS: the user. ARGV: now, proofs without a wait, the first wait, the longest one, seconds for which a count lives, '1' while
-- Redis has room for another counter.
-- The value is a MessagePack array: { refused proofs and those under way, time of the last one }, by the service's clock.
-- Returns {'admitted'}, {'limited', seconds} or {'full'}.

local now, free, first, longest, life = unpack(ARGV, 1, 5)
local count, last = 0, 0
local kept = redis.call('GET', KEYS[1])
if kept then count, last = unpack(cmsgpack.unpack(kept)) end
if count >= tonumber(free) then
  -- A clock that was set back must not prolong the wait.
  local wait = math.min(tonumber(longest), tonumber(first) * 2 ^ math.min(count - free, 16))
  local left = math.min(last, tonumber(now)) + wait - now
  if left > 0 then return { 'limited', left } end
end
if not kept and ARGV[6] ~= '1' then return { 'full' } end
redis.call('SET', KEYS[1], cmsgpack.pack({ count + 1, tonumber(now) }), 'EX', life)
return { 'admitted' }

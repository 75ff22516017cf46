-- Counts a proof with which a signed-in user shows again who they are, before it is judged, or returns how long to wait.
-- KEYS: the user. ARGV: now, proofs without a wait, the first wait, the longest one, seconds for which a count lives, seconds for
-- which a call is recognised, '1' while Redis has room for another counter, the tag of the call or ''.
-- The value is a MessagePack array: { refused proofs and those under way, time of the last one, { { tag of a counted call, its
-- time }, ... } }, by the service's clock.
-- Returns {'admitted'}, {'repeated'} for a call that is counted already, {'limited', seconds} or {'full'}.

local now, free, first, longest, life, memory = unpack(ARGV, 1, 6)
local count, last, calls, recent = 0, 0, {}, {}
local kept = redis.call('GET', KEYS[1])
if kept then count, last, calls = unpack(cmsgpack.unpack(kept)) end
for _, call in ipairs(calls) do
  if call[2] + memory > tonumber(now) then
    if call[1] == ARGV[8] then return { 'repeated' } end
    recent[#recent + 1] = call
  end
end
if count >= tonumber(free) then
  -- A clock that was set back must not prolong the wait.
  local wait = math.min(tonumber(longest), tonumber(first) * 2 ^ math.min(count - free, 16))
  local left = math.min(last, tonumber(now)) + wait - now
  if left > 0 then return { 'limited', left } end
end
if not kept and ARGV[7] ~= '1' then return { 'full' } end
if ARGV[8] ~= '' then recent[#recent + 1] = { ARGV[8], tonumber(now) } end
redis.call('SET', KEYS[1], cmsgpack.pack({ count + 1, tonumber(now), recent }), 'EX', life)
return { 'admitted' }

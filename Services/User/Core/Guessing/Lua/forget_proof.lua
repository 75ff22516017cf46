-- Forgets a user's counted proofs after a right one, or one that was not judged after all.
-- KEYS: the user. ARGV: '1' after a right one; the tag of the call that does not count, or ''.
-- Returns {'done'}.

local kept = ARGV[1] ~= '1' and redis.call('GET', KEYS[1])
local count, last, calls, others = 0, 0, {}, {}
if kept then count, last, calls = unpack(cmsgpack.unpack(kept)) end
for _, call in ipairs(calls) do
  if call[1] ~= ARGV[2] then others[#others + 1] = call end
end
if count <= 1 then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], cmsgpack.pack({ count - 1, last, others }), 'KEEPTTL')
end
return { 'done' }

-- Forgets a user's counted proofs after a right one, or one that was not judged after all.
-- KEYS: the user. ARGV: '1' after a right one.
-- Returns {'done'}.

local kept = ARGV[1] ~= '1' and redis.call('GET', KEYS[1])
local count, last = 0, 0
if kept then count, last = unpack(cmsgpack.unpack(kept)) end
if count <= 1 then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], cmsgpack.pack({ count - 1, last }), 'KEEPTTL')
end
return { 'done' }

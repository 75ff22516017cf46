-- Forgets an export that was counted and could not be made.
-- KEYS: the user. ARGV: the tag of the call.
-- Returns {'done'}.

local kept = redis.call('GET', KEYS[1])
local others = {}
for _, call in ipairs(kept and cmsgpack.unpack(kept) or {}) do
  if call[1] ~= ARGV[1] then others[#others + 1] = call end
end
if #others == 0 then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], cmsgpack.pack(others), 'KEEPTTL')
end
return { 'done' }

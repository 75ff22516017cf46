-- Forgets a request for a mail that was counted and not carried out: the same request can come again, and no window counts it.
-- KEYS: the request's repeat marker, then the counter of each window that counted it.
-- ARGV: the call's tag. Nothing changes if another call has set the marker since, or this call's marker is gone already.
-- Returns {'done'}.

local _, call = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (.*)$')
if call ~= ARGV[1] then return { 'done' } end
redis.call('DEL', KEYS[1])
for index = 2, #KEYS do
  if (tonumber(redis.call('GET', KEYS[index])) or 0) > 0 then redis.call('DECR', KEYS[index]) end
end
return { 'done' }

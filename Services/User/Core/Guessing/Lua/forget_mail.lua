-- Takes back a request for a mail that was counted and not carried out: its repeat is none, and it is not counted.
-- KEYS: the request's repeat marker, then the counter of each window that it counted for.
-- ARGV: the call's tag. What another call has marked since, or this one has taken back already, stays.
-- Returns {'done'}.

local _, call = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (.*)$')
if call ~= ARGV[1] then return { 'done' } end
redis.call('DEL', KEYS[1])
for index = 2, #KEYS do
  if (tonumber(redis.call('GET', KEYS[index])) or 0) > 0 then redis.call('DECR', KEYS[index]) end
end
return { 'done' }

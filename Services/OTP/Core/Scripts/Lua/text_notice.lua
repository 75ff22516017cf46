-- Counts a notice that is sent to a number as a text message; one that is tried again counts once.
-- KEYS: the notices to the number on this day, a hash: their ids, and `#`, how many were to be sent. The call: id, max.
-- Answers: result, `counted` or `limited`.

local call = readCall(ARGV)
if not redis.call('HGET', KEYS[1], call.id) then
  if redis.call('HINCRBY', KEYS[1], '#', 1) > tonumber(call.max) then return answer({ result = 'limited' }) end
  redis.call('HSET', KEYS[1], call.id, '')
  redis.call('EXPIRE', KEYS[1], 172800)
end
return answer({ result = 'counted' })

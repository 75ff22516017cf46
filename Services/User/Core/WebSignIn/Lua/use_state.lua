-- Notes that a call has used the state of a sign-in in a browser.
-- KEYS: the state. ARGV: the call, and the seconds for which the state lives.
-- Returns 1 if no other call has used it before.

local call = redis.call('GET', KEYS[1])
if call then return call == ARGV[1] and 1 or 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1

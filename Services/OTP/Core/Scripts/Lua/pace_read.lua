-- Reads what pace.lua keeps. KEYS: the value. Answers: milliseconds, of each message, and last; nothing if there is none.

local value = redis.call('GET', KEYS[1])
local times, last = {}, nil
if value then times, last = cmsgpack.unpack(value) end
return answer({ milliseconds = times, last = last })

-- Reads what pace.lua keeps. KEYS: the value. Returns { { milliseconds, ... }, answer }, or {} if there is none.

local value = redis.call('GET', KEYS[1])
if not value then return {} end
return { cmsgpack.unpack(value) }

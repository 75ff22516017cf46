-- Admits a verifier for the code of a sign-in in a browser, unless too many wrong ones came before. Only a wrong one is counted.
-- KEYS: the code. ARGV: '1' for the right verifier, the most wrong ones, and the seconds for which the code lives.
-- Returns 1 if it is admitted.

local wrong = tonumber(redis.call('GET', KEYS[1])) or 0
if wrong >= tonumber(ARGV[2]) then return 0 end
if ARGV[1] ~= '1' then redis.call('SET', KEYS[1], wrong + 1, 'EX', ARGV[3]) end
return 1

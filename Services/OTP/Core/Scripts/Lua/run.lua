-- The tag of the run of Redis in which the script is executed, and the seconds that the run lasts.
-- Gives: run, runSeconds.
--
-- A Redis that exits may forget the last guesses that it has acknowledged, and keep the code that they were about. So a challenge
-- is valid only in the run that made it (security guide I-5).
--
-- The seconds are negative while Redis' clock is set back to before its start. The run then counts as one that has just begun.

local server = redis.call('INFO', 'server')
local digits = string.match(server, 'run_id:(%x%x%x%x)')
local runSeconds = tonumber(string.match(server, 'uptime_in_seconds:(-?%d+)'))
local run = string.char(tonumber(string.sub(digits, 1, 2), 16), tonumber(string.sub(digits, 3, 4), 16))

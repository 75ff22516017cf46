-- A tag of the run of Redis that the script is in, and how many seconds it lasts.
-- Gives: run, runSeconds.
--
-- A Redis that ends may forget the last guesses that it has acknowledged, and keep the code that they were about. So a
-- challenge holds in the run that made it, and in no later one (security guide I-5).

local server = redis.call('INFO', 'server')
local digits = string.match(server, 'run_id:(%x%x%x%x)')
local runSeconds = tonumber(string.match(server, 'uptime_in_seconds:(%d+)'))
local run = string.char(tonumber(string.sub(digits, 1, 2), 16), tonumber(string.sub(digits, 3, 4), 16))

-- The tag of the run of Redis in which the script is executed, and the seconds that the run lasts.
-- Takes: now, and whether it may write. Gives: run, runSeconds.
--
-- A Redis that exits may forget the last guesses that it has acknowledged, and keep the code that they were about; so may a replica
-- that becomes the master. So a challenge is valid only in the run that made it (security guide I-5). A replica may have run for
-- months before, so the age of its run counts from when a script first saw it; kept for 400 days.
--
-- The seconds are negative while Redis' clock is set back to before its start. The run then counts as one that has just begun.

local server = redis.call('INFO', 'server', 'replication')
local process = string.match(server, 'run_id:(%x+)')
local history = string.match(server, 'master_replid:(%x+)')
local runSeconds = tonumber(string.match(server, 'uptime_in_seconds:(-?%d+)'))
local sum = (tonumber(string.sub(process, 1, 4), 16) + tonumber(string.sub(history, 1, 4), 16)) % 65536
local run = string.char(math.floor(sum / 256), sum % 256)
if mayWrite then
  local seen, since = string.match(redis.call('GET', 'otp:1:run') or '', '^(%x+) (%d+)$')
  if seen ~= process .. history then
    since = now
    redis.call('SET', 'otp:1:run', process .. history .. ' ' .. now, 'EX', 34560000)
  end
  runSeconds = math.min(runSeconds, now - since)
end

-- Counts a number that a provider's token has verified like a right code, unless a lockout or a limit holds; atomically.
-- There are no arguments of its own, and the number's challenges stay as they are.
-- Returns {'admitted'}, or {'limited', rule, seconds}.

if earlierCall(RIGHT, RIGHT) then return { 'admitted' } end

local addressRule = longestWait({})
local rule, wait = longestWait(attemptWaits())
if not addressRule then countWindows(windows) end
if rule then
  countRefusal('token ' .. rule .. ' ' .. scopeName)
  return { 'limited', rule, wait }
end

number.events[#number.events + 1] = { kind = RIGHT, scope = scope, time = now, call = call }
recognise()
save()
audit(now, audited.approved, subject, scopeName .. ' token')
return { 'admitted' }

-- Lifts a number's own lockouts and limits on an operator's word, and closes its open codes.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field, subject of the audit record, the operator.
-- Returns {'unlocked'} or {'not_locked'}; both are in the audit.
--
-- A code that stayed open would get more guesses than the policy has. Events stay, in no client's scope, because a provider may
-- still have a code that was sent a moment ago (followsAnother in limits.lua).

if redis.call('XLEN', auditKey) >= audited.entriesMax then return { 'audit_full' } end
local NONE = 0
local isLocked = math.max(number.locked[KNOWN], number.locked[STRANGER]) > 0 or #number.challenges > 0
for _, event in ipairs(number.events) do
  isLocked = isLocked or event.scope ~= NONE
  event.scope = NONE
  -- The provider's word on it comes too late.
  if event.kind == UNDECIDED then event.kind = WRONG end
end
number.locked, number.challenges = { 0, 0 }, {}
save()
audit(now, audited.unlocked, ARGV[3], ARGV[4])
return { isLocked and 'unlocked' or 'not_locked' }

-- Lifts a number's own lockouts and limits on an operator's word, and closes its open codes.
-- The call has the subject of the audit record, and the operator.
-- Answers: unlocked or not_locked; both are in the audit.
--
-- A code that stayed open would get more guesses than the policy has. Events stay, in no client's scope, because a provider may
-- still have a code that was sent a moment ago (followsAnother in limits.lua).

function change.unlock(state, call)
  local NONE, number = 0, state.number
  local isLocked = math.max(number.locked[KNOWN], number.locked[STRANGER]) > 0 or #number.challenges > 0
  for _, event in ipairs(number.events) do
    isLocked = isLocked or event.scope ~= NONE
    event.scope = NONE
    -- The provider's word on it comes too late.
    if event.kind == UNDECIDED then event.kind = WRONG end
  end
  number.locked, number.challenges, state.isChanged = { 0, 0 }, {}, true
  audit(state, audited.unlocked, call.subject, call.operator)
  return { result = isLocked and 'unlocked' or 'not_locked' }
end

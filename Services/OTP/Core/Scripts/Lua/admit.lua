-- Counts a number that a provider's token has verified like a right code, unless a lockout or a limit holds; atomically.
-- The number's challenges stay as they are.
-- Answers: admitted, or limited with rule and seconds.

function change.admit(state, call)
  if earlierCall(state, call, RIGHT, RIGHT) then return { result = 'admitted' } end

  local rule, wait = countAttempt(state)
  if rule then return limited(state, 'token', rule, wait) end

  addEvent(state, call, RIGHT, state.lane)
  recognise(state, call.block)
  state.isChanged = true
  audit(state, audited.approved, call.subject, scopeName(state) .. ' token')
  return { result = 'admitted' }
end

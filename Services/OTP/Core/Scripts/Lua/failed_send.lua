-- Notes the outcome of an admitted send, unless the first try was accepted.
-- The call has a byte for each channel on which a provider reports the number as bad, remembered for a day; and an outcome if no
-- provider accepted the message: 'failed', or 'unclosed' if in addition an earlier code of the number may still be open. The send
-- then stays counted, since it may have been delivered nevertheless (security guide section 4).
-- Answers: noted.

function change.failed_send(state, call)
  for index = 1, #call.bad do markChannel(state, string.byte(call.bad, index)) end
  if call.outcome == '' then return { result = 'noted' } end

  local earlier = earlierCall(state, call, SENT, SENT)
  if earlier then earlier.kind = FAILED end
  local challenge = openChallenge(state, call.place)
  -- If the provider makes the codes, the earlier one must not pass for this challenge's, so the next request begins again.
  local isOver = call.outcome == 'unclosed' and challenge and isManaged(challenge)
  if isOver then challenge.tries = { state.rules.tries, state.rules.tries } end
  if earlier or isOver then state.isChanged = true end
  audit(state, audited.sendFailed, call.subject, scopeName(state))
  return { result = 'noted' }
end

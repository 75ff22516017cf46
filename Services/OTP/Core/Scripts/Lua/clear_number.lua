-- Forgets the channels on which a provider reported a number as bad.
-- Answers: cleared, or not_bad.

function change.clear_number(state)
  state.isChanged = #state.number.bad > 0
  state.number.bad = {}
  return { result = state.isChanged and 'cleared' or 'not_bad' }
end

-- Makes a number unrecognised at the networks from which it signed in, up to a day, and removes its challenges up to a time
-- (0 for none), so that the next request makes a new code. Everything counted of the number stays.
-- Answers: forgotten.

function change.forget_networks(state, call)
  local day, codesUntil, number = tonumber(call.day), tonumber(call.codesUntil), state.number
  local known, challenges = {}, {}
  for _, place in ipairs(number.known) do
    if place.day > day then known[#known + 1] = place end
  end
  for _, challenge in ipairs(number.challenges) do
    if challenge.created > codesUntil then challenges[#challenges + 1] = challenge end
  end
  state.isChanged = #known < #number.known or #challenges < #number.challenges
  number.known, number.challenges = known, challenges
  return { result = 'forgotten' }
end

-- The shell of the functions of a number: reads the state and the call, makes the change, and writes the state.
-- A change is a function of both. It returns the answer, touches no key (except that `review.lua` has an index), and sets
-- `isChanged` if the number is to be written.
-- KEYS: refusals, audit, bucket, the number's own key, then windows (`limits.lua`) and counters of amounts (`spend.lua`).
--
-- Names of `needs`: `audit` (nothing may change without an audit record, so a full audit ends the call), `run` (of Redis), `client`
-- (its scope and lane, and what the message costs), and of those the `windows` and the `amounts`; `writes` if it may write.

local change = {}

local function onNumber(keys, words, make, needs)
  local rules = rulesOf(table.remove(words))
  local call = readCall(words)
  local state = { now = tonumber(call.now), rules = rules, records = {}, windows = {}, label = call.label }
  if needs.audit then
    flushRefusals(keys, state.now)
    if isAuditFull(keys) then return AUDIT_FULL end
  end
  if needs.run then state.run, state.runSeconds = readRun(state.now, needs.writes) end
  readPlace(state, keys, call.field)
  if needs.client then
    call.place = tonumber(call.place)
    if call.owner then call.place = call.place .. call.owner end
    state.scope = scopeOf(state.number, call)
    state.lane = tonumber(call.lane) or state.scope
    -- A review access is valid in the run of Redis in which it was opened, since a later one may have forgotten guesses.
    if state.number.review and state.number.review.run ~= state.run then endReview(state.number) end
    if needs.windows then readWindows(state, call, keys) end
    readSpend(state, call, keys, needs.amounts)
  end
  local values = make(state, call, keys)
  if state.isChanged then savePlace(state, keys, call.field) end
  writeWindows(state)
  writeSpend(state)
  writeAudits(state, keys)
  return answer(values)
end

-- Charges a further try of an admitted message; each try is charged before it is made.
-- Answers: charged with news; limited with seconds and news.

function change.try(state)
  if not state.spend then return { result = 'charged' } end
  local wait = spendWait(state)
  if wait > 0 and state.rules.spend.enforces then return overBudget(state, 'try', wait) end
  if state.label then audit(state, audited.paid, '', '') end
  return { result = 'charged', news = spend(state) }
end

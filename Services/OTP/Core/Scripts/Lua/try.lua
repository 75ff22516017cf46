-- Charges a further try of an admitted message; each try is charged before it is made.
-- Answers: charged with news; limited with seconds and news.

function change.try(state)
  if not state.spend then return { result = 'charged' } end
  local wait = spendWait(state)
  if wait > 0 and state.rules.spend.enforces then
    countRefusal(state, 'try budget')
    return { result = 'limited', rule = 'budget', seconds = wait, news = refuseSpend(state) }
  end
  return { result = 'charged', news = spend(state) }
end

-- Charges a further try of an admitted message; each try is charged before it is made.
-- ARGV of its own: none. Returns {'charged', news} or {'limited', 'budget', seconds, news}.

if not isPaid then return { 'charged', {} } end
readSpent()
local wait = spendWait()
if wait > 0 and rules.spend.enforces then
  countRefusal('try budget ' .. scopeName)
  return { 'limited', 'budget', wait, refuseSpend() }
end
return { 'charged', spend() }

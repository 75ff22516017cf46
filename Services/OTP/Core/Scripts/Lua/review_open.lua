-- Whether the review access is still open by whose code a challenge was approved.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field, when the challenge was made.
-- Uses: run.lua, place.lua. Returns 1 or 0.
--
-- An access that ends takes its challenges with it, so one that was opened since has no such challenge.

if not number.review or number.review.run ~= run then return 0 end
for _, challenge in ipairs(number.challenges) do
  if challenge.run == run and challenge.approved and challenge.created == tonumber(ARGV[3]) then return 1 end
end
return 0

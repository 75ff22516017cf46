-- Whether the review access is still open by whose code a challenge was approved; the call has the time of the challenge.
-- Answers: open with '1' or '0'.
--
-- An access that ends takes its challenges with it, so one that was opened since has no such challenge.

function change.review_open(state, call)
  local review, isOpen = state.number.review, false
  for _, challenge in ipairs(review and review.run == state.run and state.number.challenges or {}) do
    local isOfRun = challenge.run == state.run and challenge.created == tonumber(call.created)
    isOpen = isOpen or challenge.approved and isOfRun
  end
  return { open = isOpen and 1 or 0 }
end

-- Forgets on which channels a provider calls a number bad.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field. Answers {'cleared'} or {'not_bad'}.

if #number.bad == 0 then return { 'not_bad' } end
number.bad = {}
save()
return { 'cleared' }

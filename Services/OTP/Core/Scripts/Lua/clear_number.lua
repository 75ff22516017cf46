-- Forgets the channels on which a provider reported a number as bad.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field. Returns {'cleared'} or {'not_bad'}.

if #number.bad == 0 then return { 'not_bad' } end
number.bad = {}
save()
return { 'cleared' }

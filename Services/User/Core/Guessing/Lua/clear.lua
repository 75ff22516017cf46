-- Forgets guesses at an account: its password is another one now, set by whoever has its mail.
-- Answers {'done'}.

account.start, account.count, account.cleared = now, 0, now
saveAccount()
redis.call('DEL', ownKey)
return { 'done' }

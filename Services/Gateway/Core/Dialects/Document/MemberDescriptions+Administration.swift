extension MemberDescriptions {
    /// The members of the API for administrators.
    static let ofAdministration = """
        AdminChange.role | Another role; `admin` is that of administrators
        AdminChange.name | Another name; `null` removes it
        AdminChange.isActive | `false` deactivates the user and ends their sessions
        AdminUser.metadata | Missing while both objects are empty
        AdminChange.metadata | A JSON merge patch (RFC 7396)
        AdminPhone.phoneNumber | In E.164, or as people dial it in the policy's `defaultRegion`
        AdminReviewPage.nextCursor | The cursor of the next page; missing after the last one
        AdminReview.since | The Unix seconds from which on changes of identities and of the password are under review
        AdminReview.openedAt | Unix seconds
        review-access.phoneNumber | The number whose access the response has too, with +
        AdminReviewAccess.until | When the access of the requested number ends; missing if it has none
        AdminOpenReview.label | The number's first and last digits; Latchkey stores no more of it
        AdminReviewOpening.until | The Unix second at which the access ends, at most 30 days from now
        AdminReviewCodes.until | The Unix second at which the access ends
        AdminReviewCode.dialect | The dialect in which the app requests codes, such as `native`
        AdminEndedReview.wasOpen | Whether the number had access until now
        AdminEndedReview.endedCount | The number of sessions that ended with it
        AdminInvitation.to | An email address or a phone number
        AdminInvitation.role | The role of the new user, by default `user`
        AdminInvited.expiresAt | Unix seconds
        AdminInvited.isMailed | Whether a mail with a link goes out
        AdminDeletion.deletionDueAt | When the data are removed, in Unix seconds
        AdminUserPage.nextCursor | The cursor of the next page; missing after the last one
        AdminUser.attributes | The user's attributes that the policy declares, by their names
        AdminUser.deletionDueAt | When the data are removed, in Unix seconds; missing unless the removal is scheduled
        AdminUser.identities | Accounts at Apple and OpenID Connect providers
        AdminUser.pending | Changes of the phone number and merges that wait
        AdminUser.version | The value of the response's `ETag`, for `If-Match`; it changes with the user
        AdminCreation.phoneNumber | In E.164, or as people dial it in the policy's `defaultRegion`
        AdminCreation.email | The user's email address
        AdminCreation.emailVerified | Whether you know that the address is the user's; required with `email`
        AdminCreation.name | The user's name
        AdminCreation.role | The user's role, by default `user`; another one needs a phone number or a verified address
        ActingToken.accessToken | A token of the user with the claim `act`, for routes of the app with `actAs`
        audit.from | The Unix seconds of the oldest record
        audit.to | The Unix seconds before which all records are
        audit.user | The id of the user of the records
        audit.limit | The number of records of a page, at most 200
        audit.cursor | The `nextCursor` of the page before, for the same `from`, `to` and `user`
        AdminAuditPage.nextCursor | The cursor of the next page, which may follow a short or empty one; missing after the last
        AdminRecord.service | `user` or `token`; records of codes and of spending are user-service's
        AdminRecord.number | The record's number in its service
        AdminRecord.at | Unix seconds
        AdminRecord.subject | The user: an id in token-service's records, a pseudonym in user-service's
        AdminRecord.sessionId | The session, or that of the administrator who acted
        AdminRecord.method | How it was done, or who did it
        AdminRecord.requestId | The id of the request
        AdminRecord.detail | The names of what changed, and the reason
        story.from | The Unix seconds of the oldest record; all by default
        story.to | The Unix seconds before which all records are; all by default
        story.limit | The number of sentences of a page, at most 200
        story.cursor | The `nextCursor` of the page before, for the same `from` and `to`
        AdminStory.nextCursor | The cursor of the next page, which may follow a short or empty one; missing after the last
        AdminStory.liveSessions | The last refresh of each live session, on the first page
        AdminStoryLine.at | Unix seconds
        spend.hours | 1 to 48 hours, the current one included; 24 by default
        AdminSpend.strangersPercent | The part of each budget that unrecognised clients may use
        AdminSpendRow.row | The prefix of the price, or `total`
        trace.to | The phone number, with +, or the email address
        trace.hours | 1 to 48 hours; 48 by default
        AdminUnlocked.wasLocked | Whether anything counted against the number
        AdminTraceEntry.at | The Unix seconds of the first event
        AdminTraceEntry.kind | `refused`, `tried`, `callback`, `guessed` or `undecided`
        AdminTraceEntry.details | What `latchkeyctl otp trace --json` has
        AdminToday.at | Unix seconds
        AdminToday.revocationLagMilliseconds | The age of the gateway's copy of the list of revocations
        AdminToday.unpublishedRevocations | Revocations that the gateways may not know yet
        AdminToday.lastBackupAt | The Unix seconds of the oldest last backup of a database; missing without one
        AdminToday.lastCopyAt | The Unix seconds up to which the continuous copies have all changes; missing without them
        AdminPart.name | `gateway`, `user`, `token` or `otp`
        AdminPart.state | `missing` if the part does not answer, `failing` if it does not do its job
        AdminProblem.detail | What it is about: a condition, a provider and its channel, an algorithm or a price
        AdminCircuit.state | `open` while nothing is sent to the provider
        AdminLimit.refused | The requests that the rule has refused since the process started
        series.days | 1 for the last 24 hours by the hour, 30 by the day; 1 by default
        AdminSeries.from | The Unix seconds at which the first count begins
        AdminSeries.missing | The services that did not answer, whose series are missing
        AdminCounts.kind | The method, the result or the rule
        AdminCounts.country | The calling code, `none` for mail, or `other` beyond the first twelve of an hour
        AdminCounts.counts | A count for each hour or day, oldest first; of `spend` ten-thousandths of the currency
        AdminPolicyReport.hash | A hash of the values, as the metric `policy_info` has it
        AdminPolicyReport.isShipped | Whether Latchkey ships a policy of this name, to which the differences are
        AdminPolicyDifference.running | The value in effect; missing if there is none, or if it is secret
        AdminPolicyDifference.shipped | The shipped value; missing if there is none, or if it is secret
        AdminPolicyLimit.key | The path of a key of the policy that limits something
        AdminKey.state | `published`, `signing`, `retiring` or `gone`
        AdminKey.stateSince | Unix seconds
        AdminKey.nextStateAt | Unix seconds; missing if no change is due
        """
}

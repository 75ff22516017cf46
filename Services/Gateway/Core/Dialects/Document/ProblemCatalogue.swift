import AuthAPI
import EdgeHTTP
import Policies
import ServiceKit

/// The error catalogue: every code of a problem, its cause, and what to do about it.
///
/// `Problem.type` leads to the page; `deploy/docs/reference/errors.md` has the same rows.
struct ProblemCatalogue: Sendable {
    struct Entry: Sendable {
        let section: String
        let code: String
        /// Markdown, with links relative to the documents.
        let cause: String
        let remedy: String
    }

    static let entries: [Entry] = {
        var section = ""
        return table.split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("# ") else {
                section = String(line.dropFirst(2))
                return nil
            }
            let cells = line.split(separator: "|").map { $0.trimming { $0 == " " } }
            guard cells.count == 3 else { preconditionFailure("'\(line)' does not have three cells") }
            return Entry(section: section, code: cells[0], cause: cells[1], remedy: cells[2])
        }
    }()

    /// The statuses with which a code is sent, in the words that dialects share.
    static let statuses: [String: Set<Int>] = {
        var statuses: [String: Set<Int>] = [:]
        for refusal in Refusal.everyOne {
            let words = RefusalWords(refusal)
            statuses[words.code, default: []].insert(words.status)
        }
        statuses["temporarily_unavailable"] = [OAuthError.unavailable.reply.status]
        statuses["unsupported_grant_type"] = [OAuthError.unsupportedGrantType.reply.status]
        statuses["invalid_scope"] = [OAuthError.invalidScope.reply.status]
        return statuses
    }()

    static func row(_ look: PageLook) -> DialectRow {
        let page = page(look)
        return DialectRow(.get, at: RoutePattern(literal: "/.well-known/latchkey/problems"), .open) {
            _, _ throws(Refusal) in page
        }
        .documented(
            .deployment, "Shows the error catalogue, to which `type` of a problem leads", .file(mediaType: "text/html"))
    }

    static func page(_ look: PageLook) -> Reply { look.reply("Errors", html) }

    private static var html: String {
        entries.map { entry in
            let statuses = (statuses[entry.code] ?? []).sorted().map { "\($0)" }.joined(separator: ", ")
            return """
                <section id="\(entry.code)">
                <h2><code>\(entry.code)</code></h2>
                <p>\(statuses): \(plain(entry.cause)).</p>
                <p>To do: \(plain(entry.remedy)).</p>
                </section>
                """
        }.joined(separator: "\n")
    }

    /// Returns a cell as HTML, with the text of its links alone.
    private static func plain(_ markdown: String) -> String {
        markdown.escapedForHTML.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.output.1 }
            .replacing(#/`([^`]*)`/#) { "<code>\($0.output.1)</code>" }
    }

    private static let table = """
        # The request
        invalid_request | the body is no JSON object, a member is missing or has the wrong type, or the `Idempotency-Key` \
        is malformed or belongs to the request that made this token; `title` names the member | fix the app
        not_assignable | a profile cannot get another `id` or `email` (uta) | leave them out
        malformed_request | the message breaks a rule of HTTP; `detail` [names it](#rules-of-http) | fix the client, or \
        the proxy in front
        header_too_large | the head is larger than `edge.headerBytesMax`, or has more fields than `edge.headerCountMax` | \
        send less, often cookies
        body_too_large | the body is larger than `edge.bodyBytesMax`, or `routes[].bodyBytesMax` | send less, or raise the \
        limit
        unsupported_media_type | the body has a `Content-Encoding` | send it uncompressed
        request_timeout | the client sent the head or body too slowly | try again
        cross_site | the request has a cookie of the session and comes from a page that may not use it | [compare the \
        origins](../run/cookies.md#403-cross_site)
        ambiguous_cookie | a cookie of the session was sent twice | [delete it in the \
        browser](../run/cookies.md#400-ambiguous_cookie)
        https_required | plain HTTP, but only https is served | use `https://`
        misdirected_request | HTTP/2, and the connection's certificate does not cover the host | open a connection for \
        that host
        not_found | no such path, no such session or user, or a path that a stricter route [may \
        mean](edge.md#routes-as-upstreams-read-them) | check path and policy
        method_not_allowed | the path has other methods; `Allow` lists them | use one of them
        # Codes, mails and phone numbers
        invalid_phone | the phone number is not possible, or has no country | let the user correct it
        invalid_email | the email address is not possible | let the user correct it
        unsupported_channel | the policy does not have this channel, or no sender supports it | choose one of \
        `codes.channels` of the [discovery document](api.md#discovery)
        invalid_code | the code is wrong or used, or none was sent | let the user type it again
        code_expired | the last code that was sent is too old, whatever was typed | request another
        blocked_country | `countries` of the policy, or the provider, leaves the country out | tell the user
        number_opted_out | the user replied STOP to the sender | the user replies START
        undeliverable_email | mail to the address came back | let the user enter another address; [support can clear \
        it](../run/mail.md#mail-that-comes-back)
        provider_error | the provider did not accept the message | try again after `Retry-After`
        rate_limited | a limit; `limit` is `lockout` after too many wrong codes or passwords, `sends` after too many \
        messages or if their budget is used up, and `requests` otherwise | wait for `Retry-After`
        # Tokens and sessions
        missing_token | the request has no token | sign in
        token_expired | the access token is too old | refresh
        invalid_token | the access token is forged, revoked, or of another deployment | refresh
        insufficient_user_authentication | the route has `maxAgeSeconds`, `acr` or `amr`, and the user showed who they are \
        longer ago or with less | [reauthenticate](../app/account.md#show-again-who-the-user-is), refresh once, and repeat
        invalid_refresh_token | the session is over; `reason` is `expired`, `signed_out`, `reused`, `deleted` or \
        `superseded`, if the token was once issued here | sign in; after `superseded` the newest session lives, so try \
        once more with the newest token, or [the newest cookies](../run/cookies.md#several-tabs)
        invalid_identity_token | the provider's token, or a phone token, breaks a rule | [the audit names \
        it](../app/providers.md#invalid_identity_token)
        identity_token_used | the provider's token was used before, or is from before the deletion of its account | let \
        the SDK get a new one
        invalid_sign_in | a provider's response to a sign-in in a browser, or a `restoreToken`, is too late, was used before, or \
        belongs to another sign-in | [begin again in the app](../app/web-sign-in.md#invalid_sign_in)
        invalid_client | `/oauth/…`: unknown client, or wrong secret or assertion | check `oauth_clients`; for `/oauth/token` \
        [the clients](../run/clients.md#invalid_client)
        unsupported_grant_type | `/oauth/token`: another grant type than `client_credentials` | [users sign in by the native \
        API](../run/clients.md)
        invalid_scope | `/oauth/token`: the request has a `scope` | leave it out: the client's role decides
        temporarily_unavailable | `/oauth/…`: the state of the token is unknown, or no token can be signed | try again
        second_factor_required | the user has a second factor, one of `methods` | ask for it, and send it with the `mfaToken` \
        to `POST /auth/mfa/verify` within five minutes
        second_factor_refused | the code is wrong or was used, or the `mfaToken` is too old or was used | let the user try \
        again, or sign in again
        too_many_attempts | too many codes for the second factor were wrong | wait for `retryAfter`
        second_factor_exists | one-time passwords are on already | remove them first
        recovery_codes_needed | the user has no recovery codes | `POST /users/me/mfa/recovery-codes`
        passkey_refused | the passkey is unknown, was removed, or its response breaks a rule, is too late or was used; all \
        failures look alike | [offer another way to sign in](../app/passkeys.md#errors)
        passkey_invalid | the new passkey breaks a rule, which the audit names, or its options are too old | request new \
        options
        passkey_exists | a user has this passkey | tell the user
        too_many_passkeys | the user has `passkeys.perUserMax` passkeys | let the user remove one
        # Accounts and passwords
        account_inactive | an operator deactivated the account | sign out; support
        account_under_review | the user reported a change of the account, and this identity or password was changed since | \
        sign in with an older one; [support](../run/support.md#a-user-says-that-a-change-was-not-theirs)
        deletion_scheduled | the account is scheduled for deletion, and the policy has `onSignIn: ask` | [ask the \
        user](../app/deletion.md#a-sign-in-before-the-removal)
        not_invited | only invited people become users | tell the user
        phone_change_pending | support gives the number to an account at `movesAt` (Unix seconds) | [tell the \
        user](../app/account.md#a-lost-number), who signs in then
        second_identity_required | the user of the number was away for `recycledNumbers.idleMonths`; `methods` lists the \
        other ways to sign in to the account | [let the user choose](../app/account.md#a-number-that-was-not-used-for-long)
        forbidden | the route, or the administrator's list, needs a role that the user does not have; or a callback has a \
        wrong signature | hide the function
        invalid_credentials | the address or the password is wrong | let the user enter it again
        weak_password | the password is too short, too long, too common, or the address itself | let the user choose \
        another
        wrong_password | the password of the registration, or of the signed-in user, is wrong | let the user enter it \
        again
        no_password | the account has no password | sign in another way
        identity_in_use | another account has the phone number, the email address or the identity | use another one; or, \
        with a `mergeToken`, [merge the accounts](../app/account.md#two-accounts-of-one-person)
        merge_refused | the merge token is invalid, too old, or of another session; one of the accounts has changed \
        since; or the merge that the token began has ended | verify the identity again
        merge_proof_required | the other account has something more that was not verified; `methods` lists it | [verify \
        one](../app/account.md#two-accounts-of-one-person)
        last_identity | without it nothing would sign the user in | add something else first
        identity_changed | another device changed the identities at the same time | read them, then try again
        email_required | a password needs a verified email address | add the address first
        changed_elsewhere | `PATCH /users/me` changes no phone number and no email address | use the endpoint that the \
        title names
        registration_closed | `accounts.registration` is `closed` | tell the user
        invalid_link | the link of a mail is used, too old, or broken | request another
        reauthentication_required | the change needs the password, or a recent proof of the user | \
        [reauthenticate](../app/account.md#show-again-who-the-user-is) and repeat
        reauthentication_failed | the code, password or identity token is wrong, used, too old, or another person's | let \
        the user try again
        change_pending | the change is made; earlier sessions are still being revoked | repeat with the same \
        `Idempotency-Key`
        # Administrators
        precondition_failed | another administrator has changed the user since they were read | read the user, show the \
        difference, and send the new `ETag` as `If-Match`
        last_admin | without the user no active administrator would be left | give another user the role `admin` first, or \
        use [`latchkeyctl`](../run/admin-api.md#the-last-administrator)
        removal_due | the time of the removal has come, so that the user cannot be restored | tell the user
        already_user | the invited person has an account already | search for it
        review_accesses_open | five phone numbers have [review access](../app/test-numbers.md#store-review) | end one of them
        # Behind the gateway
        unavailable | a service, Redis, the keys or your API is unavailable; no user is signed out | wait for \
        `Retry-After`; [operators](../run/troubleshooting.md)
        bad_gateway | your API sent an invalid response | check your API
        upstream_timeout | your API took longer than `routes[].timeoutSeconds` | check your API, or raise the limit
        """
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> String {
        String(String(drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }
}

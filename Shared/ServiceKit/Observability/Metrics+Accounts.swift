extension Metrics {
    /// The metrics of users, sign-ins, codes and tokens, sorted by name. They precede all others.
    static let ofAccounts: [Metric] = [
        Metric(
            "acme_orders_total", .counter, in: [.gateway], from: .configured, ["result"],
            "Certificates ordered from the directory of edge.tls.acme."),
        Metric(
            "audit_moved_total", .counter, in: [.user],
            "Audit records of otp-service that were moved from Redis into the database."),
        Metric(
            "auth_account_mails_swallowed_total", .counter, in: [.otp], from: .configured, ["kind"],
            "Mails about accounts that were not sent, because the address had too many."),
        Metric(
            "auth_anomalies_total", .counter, in: [.user], from: .configured, ["event"],
            "Sign-ins from unknown devices in unknown networks, and refreshes by another kind of device."),
        Metric(
            "auth_apple_events_total", .counter, in: [.user], from: .configured, ["event"],
            "Notifications of Apple about accounts."),
        Metric(
            "auth_client_requests_total", .counter, in: [.gateway], from: .firstEvent, ["library", "version"],
            "Requests of apps with a client library of Latchkey."),
        Metric(
            "auth_edge_connections_shed_total", .counter, in: [.gateway], ["state"],
            "Connections that the gateway closed because memory was short, by what they were doing."),
        Metric(
            "auth_edge_connections_taken_back_total", .counter, in: [.gateway],
            "Idle connections that the gateway closed so that others could be accepted."),
        Metric(
            "auth_edge_connections_too_slow_total", .counter, in: [.gateway], ["awaited"],
            "Connections that the gateway closed because their client was too slow, by what was awaited."),
        Metric(
            "auth_edge_long_connections", .gauge, in: [.gateway], ["kind"], "Open WebSockets and live responses."),
        Metric(
            "auth_edge_long_connections_ended_total", .counter, in: [.gateway], ["kind", "reason"],
            "WebSockets and live responses that have ended, by the reason."),
        Metric(
            "auth_edge_memory_held_bytes", .gauge, in: [.gateway],
            "Estimated memory that connections make the gateway and the kernel use."),
        Metric("auth_edge_memory_max_bytes", .gauge, in: [.gateway], "Limit of that memory."),
        Metric(
            "auth_identity_tokens_total", .counter, in: [.user], from: .configured, ["provider", "result"],
            "Identity tokens and phone tokens presented."),
        Metric(
            "auth_inactive_users_total", .counter, in: [.user], from: .configured, ["result"],
            "Users who were away for long, by whether they were told, were not reached, stay, or were removed."),
        Metric(
            "auth_internal_refusals_total", .counter, in: [.otp, .token, .user], ["reason"],
            "Requests between processes that were refused for their assertion."),
        Metric("auth_jwt_issued_total", .counter, in: [.token], from: .firstEvent, ["key"], "Access tokens issued."),
        Metric(
            "auth_limit_fallbacks_total", .counter, in: [.gateway, .token], ["limit"],
            "Limits that were counted in one process's memory because Redis was unavailable."),
        Metric(
            "auth_otp_delivery_total", .counter, in: [.otp], from: .firstEvent,
            ["provider", "channel", "country", "status", "error_code"],
            "Delivery reports of providers for messages and mails."),
        Metric(
            "auth_otp_guard_total", .counter, in: [.otp], from: .configured, ["rule", "outcome"],
            "Messages that exceeded a limit or a budget."),
        Metric(
            "auth_otp_requests_total", .counter, in: [.otp], from: .firstEvent, ["channel", "country", "result"],
            "Requests for one-time codes."),
        Metric(
            "auth_otp_time_to_verify_seconds", .histogram, in: [.otp], ["channel"],
            "Time from sending a code to its right entry."),
        Metric(
            "auth_otp_trace_dropped_total", .counter, in: [.otp], "Entries of operators' traces that were not written."),
        Metric(
            "auth_otp_verifications_total", .counter, in: [.otp], from: .firstEvent, ["channel", "country", "result"],
            "One-time codes and links presented."),
        Metric(
            "auth_password_acts_total", .counter, in: [.user], from: .firstEvent, ["act", "result"],
            "Actions on accounts with a password, such as registrations and resets."),
        Metric(
            "auth_password_limited_total", .counter, in: [.user], from: .configured, ["rule"],
            "Sign-ins and mails about passwords that a limit refused."),
        Metric(
            "auth_previous_sessions_total", .counter, in: [.user], from: .firstEvent, ["result"],
            "Refresh tokens of the old server that were presented to it, and sessions that were ended there."),
        Metric(
            "auth_provider_circuit_state", .gauge, in: [.otp], ["provider", "channel"],
            "State of the circuit to a provider: 0 closed, 1 trying, 2 open."),
        Metric(
            "auth_provider_errors_total", .counter, in: [.otp, .user], from: .firstEvent, ["provider", "code"],
            "Errors of message and identity providers."),
        Metric(
            "auth_provider_request_duration_seconds", .histogram, in: [.otp], from: .firstEvent,
            ["provider", "operation", "outcome"],
            "Duration of requests to message providers."),
        Metric(
            "auth_rate_limited_total", .counter, in: [.gateway, .otp, .token, .user], from: .firstEvent,
            ["rule", "route"],
            "Requests that a limit refused."),
        Metric(
            "auth_reauthentications_total", .counter, in: [.user], from: .configured, ["method", "result"],
            "Proofs with which signed-in users show again who they are."),
        Metric(
            "auth_review_access_open", .gauge, in: [.otp], "Phone numbers with an open access for a store's reviewers."),
        Metric("auth_revocation_entries", .gauge, in: [.gateway], "Revocations in the gateway's copy of the list."),
        Metric(
            "auth_revocation_fallbacks_total", .counter, in: [.gateway],
            "Requests for which the gateway queried Redis, because its copy of the list could not answer."),
        Metric(
            "auth_revocation_rebuilds_total", .counter, in: [.token],
            "Times that the list of revocations was written to Redis again."
        ),
        Metric(
            "auth_revocation_replica_age_seconds", .gauge, in: [.gateway],
            "Time since the gateway last heard from the list of revocations."),
        Metric("auth_revocations_unpublished", .gauge, in: [.token], "Revocations that Redis may not contain yet."),
        Metric("auth_sessions", .gauge, in: [.token], "Live sessions, counted every ten minutes by each replica."),
        Metric("auth_sessions_revoked_total", .counter, in: [.token], ["reason"], "Sessions revoked."),
        Metric("auth_signins_total", .counter, in: [.token], ["method"], "Sessions opened."),
        Metric("auth_signups_total", .counter, in: [.user], ["method"], "Users created."),
        Metric(
            "auth_sms_segments_total", .counter, in: [.otp], from: .firstEvent, ["provider", "country"],
            "Segments of text messages with Latchkey's own text."),
        Metric(
            "auth_spend_alarms_total", .counter, in: [.otp], from: .firstEvent, ["scope", "window", "threshold"],
            "Alarms of budgets."),
        Metric(
            "auth_spend_amount", .gauge, in: [.otp], ["scope", "window"],
            "Cost of the messages of this hour or day, in ten-thousandths of the currency."),
        Metric(
            "auth_spend_budget", .gauge, in: [.otp], ["scope", "window"],
            "Budget of this hour or day, in ten-thousandths of the currency."),
        Metric(
            "auth_token_cache_total", .counter, in: [.gateway], ["result"],
            "Access tokens at the gateway, by whether their signature was in the cache."),
        Metric(
            "auth_token_late_repeat_runs_total", .counter, in: [.token],
            "Sessions whose refresh token was presented again late, several times in a row."),
        Metric("auth_token_refresh_total", .counter, in: [.token], ["result"], "Refresh tokens presented."),
        Metric(
            "auth_token_rejections_total", .counter, in: [.gateway], ["reason", "revocation"],
            "Access tokens that the gateway refused."
        ),
        Metric(
            "auth_users", .gauge, in: [.user], ["state"], "Users by state, counted every ten minutes by each replica."),
        Metric(
            "auth_web_sign_ins_total", .counter, in: [.user], from: .configured, ["provider", "result"],
            "Answers of providers to sign-ins in a browser."),
        Metric(
            "decision_log_failures_total", .counter, in: [.user], from: .configured,
            "Failed writes of the list of security decisions."),
        Metric(
            "deletion_oldest_due_seconds", .gauge, in: [.user], "Time by which the oldest removal of a user is late."),
        Metric("deletions_total", .counter, in: [.user], "Users removed."),
    ]
}

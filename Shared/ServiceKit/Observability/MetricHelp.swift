/// What each metric says, in one line, for `# HELP`.
enum MetricHelp {
    static func text(for metric: String) -> String { texts[metric] ?? metric }

    private static let texts = [
        "auth_internal_refusals_total": "Internal requests refused for their assertion, by reason.",
        "auth_jwt_issued_total": "Access tokens issued, by key.",
        "auth_limit_fallbacks_total": "Limits counted in one process's memory because Redis was away, by limit.",
        "auth_otp_requests_total": "Requests for one-time codes, by channel and outcome.",
        "auth_otp_verifications_total": "One-time codes presented, by outcome.",
        "auth_provider_errors_total": "Errors of message providers, by provider and code.",
        "auth_provider_request_duration_seconds": "Duration of requests to message providers.",
        "auth_rate_limited_total": "Requests refused by a limit, by rule.",
        "auth_revocation_fallbacks_total": "Requests for which Redis was asked because the replica could not answer.",
        "auth_sessions_revoked_total": "Sessions revoked, by reason.",
        "auth_signins_total": "Sessions opened, by method.",
        "auth_signups_total": "Users made, by method.",
        "auth_token_refresh_total": "Refresh tokens presented, by outcome.",
        "auth_token_rejections_total": "Access tokens refused at the edge, by reason.",
        "http_server_request_duration_seconds": "Duration of HTTP requests.",
        "http_server_violations_total": "Messages refused for breaking HTTP's rules, by reason.",
        "log_lines_dropped_total": "Log lines dropped because nobody read the log.",
        "outbox_deliveries_total": "Deliveries from the outbox, by outcome.",
        "outbox_pending": "Entries of the outbox that wait.",
        "process_cpu_seconds_total": "Processor time used.",
        "process_open_fds": "Open file descriptors.",
        "process_resident_memory_bytes": "Resident memory.",
        "process_start_time_seconds": "Start of the process in Unix time.",
        "redis_client_connections": "Connections to Redis that are ready.",
        "redis_client_errors_total": "Failed Redis commands, by code.",
        "sqlite_busy_total": "Waits for another process's write.",
        "sqlite_checkpoints_total": "Forced checkpoints of a write-ahead log that had grown too large, by outcome.",
        "sqlite_sweep_failures_total": "Passes that removed expired rows and failed, by kind of row.",
        "sqlite_swept_rows_total": "Expired rows removed, by kind.",
        "sqlite_transaction_duration_seconds": "Duration of SQLite transactions.",
        "sqlite_wal_bytes": "Size of the write-ahead log.",
        "sqlite_wal_stuck": "1 while a reader keeps the write-ahead log above its limit.",
    ]
}

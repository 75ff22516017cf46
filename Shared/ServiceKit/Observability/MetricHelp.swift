/// What each metric says, in one line, for `# HELP`.
enum MetricHelp {
    static func text(for metric: String) -> String { texts[metric] ?? metric }

    private static let texts = [
        "auth_internal_refusals_total": "Internal requests refused for their assertion, by reason.",
        "auth_jwt_issued_total": "Access tokens issued, by key.",
        "auth_otp_requests_total": "Requests for one-time codes, by channel and outcome.",
        "auth_otp_verifications_total": "One-time codes presented, by outcome.",
        "auth_sessions_revoked_total": "Sessions revoked, by reason.",
        "auth_signins_total": "Sessions opened, by method.",
        "auth_signups_total": "Users made, by method.",
        "auth_token_refresh_total": "Refresh tokens presented, by outcome.",
        "auth_token_rejections_total": "Access tokens refused at the edge, by reason.",
        "http_server_request_duration_seconds": "Duration of HTTP requests.",
        "log_lines_dropped_total": "Log lines dropped because nobody read the log.",
        "process_cpu_seconds_total": "Processor time used.",
        "process_open_fds": "Open file descriptors.",
        "process_resident_memory_bytes": "Resident memory.",
        "process_start_time_seconds": "Start of the process in Unix time.",
        "redis_client_connections": "Connections to Redis that are ready.",
        "redis_client_errors_total": "Failed Redis commands, by code.",
        "sqlite_busy_total": "Waits for another process's write.",
        "sqlite_transaction_duration_seconds": "Duration of SQLite transactions.",
    ]
}

extension Settings {
    /// Variables of OpenTelemetry for the export of traces. The sampler's are not read: the policy's `tracing.oneIn` decides.
    static let tracing: [Setting] = [
        Setting(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "the collector of [traces](../run/monitoring.md#traces); spans are posted to `/v1/traces` below it",
            .text("`http://…` or `https://…` of OTLP/HTTP"), exporters, unset: "no traces"),
        Setting(
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "the URL to which spans are posted, as it is; takes precedence",
            .text("`http://…` or `https://…`"), exporters, compose: .never),
        Setting(
            "OTEL_EXPORTER_OTLP_HEADERS", "fields for the collector, such as its key",
            .text("`name=value`, comma-separated; values may be escaped as in URLs"), exporters),
        Setting(
            "OTEL_RESOURCE_ATTRIBUTES", "attributes of all spans, such as `deployment.environment.name=uat`",
            .text("`name=value`, comma-separated; values may be escaped as in URLs"), exporters),
        Setting(
            "OTEL_SERVICE_NAME", "the process's name in traces", .text(""), exporters,
            unset: "`latchkey-` and the short name", compose: .never),
        Setting(
            "OTEL_SDK_DISABLED", "`true` exports no traces", .choice(["true", "false"]), exporters, default: "false",
            compose: .never),
    ]

    private static let exporters = ["gateway", "otp", "token", "user"]
}

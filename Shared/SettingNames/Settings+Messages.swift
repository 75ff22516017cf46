extension Settings {
    static let codes: [Setting] = [
        Setting(
            "OTP_SENDER",
            "[what sends codes to phones](../run/delivery.md), in the order in which it is tried; not read with `otp: none`",
            .text(
                "of `inbox` (not in production), `webhook`, `twilio-verify`, `twilio-messaging`, comma-separated, each "
                    + "once; or only `twilio-verify-managed`"), ["gateway", "otp"], default: "inbox",
            inProduction: "webhook"),
        Setting(
            "SMS_HOOK_URL", "the URL to which `webhook` posts each message",
            .text("`https://…`; outside production `http://…` too"), ["otp"]),
        twilio("ACCOUNT_SID", "your account; required", .text("`AC` and 32 hex digits")),
        twilio(
            "VERIFY_SID", "the Verify Service; required with `twilio-verify` and `twilio-verify-managed`",
            .text("`VA…`")),
        twilio("VERIFY_TEMPLATE_SID", "a template instead of the Service's own", .text("`HJ…`")),
        twilio(
            "VERIFY_URL", "the URL of Verify, or of a stand-in", .provider, default: "https://verify.twilio.com"),
        twilio(
            "MESSAGING_SID", "the messaging service; `twilio-messaging` requires this or `TWILIO_FROM`",
            .text("`MG…`")),
        twilio(
            "FROM",
            "the sender of text messages; a list for [senders by country](../run/delivery.md#senders-by-country)",
            .text(
                "a number such as `+15005550006`, a short code, a name of at most 11 characters; with a calling code: "
                    + "`44=ACME`")),
        twilio(
            "WHATSAPP_FROM", "the sender of WhatsApp messages by `twilio-messaging`; together with the template",
            .text("a number"), unset: "no WhatsApp"),
        twilio("WHATSAPP_CONTENT_SID", "the template of WhatsApp messages", .text("`HX…`")),
        twilio(
            "API_URL", "the URL of Messaging, or of a stand-in", .provider, default: "https://api.twilio.com"),
    ]

    private static func twilio(
        _ name: String, _ help: String, _ rule: Setting.Rule, default standard: String? = nil, unset: String = "none"
    ) -> Setting {
        Setting(
            "TWILIO_" + name, help, rule, ["otp"], default: standard, unset: unset, compose: .overlay("twilio"))
    }

    static let mail: [Setting] = [
        Setting(
            "MAIL_SENDER",
            "[how mail is sent](../run/mail.md); read if the policy has a section `email` or `passwords`, which requires a "
                + "sender. `inbox` is not for production", .choice(["inbox", "resend", "smtp", "none"]),
            ["gateway", "otp"], default: "inbox", inProduction: "none"),
        Setting(
            "MAIL_FROM", "the sender of mails; required with `resend` and `smtp`",
            .text(
                "`Name <address>`, or an address; any name of at most 128 characters, quoted or not: "
                    + "`Acme, Inc. <login@acme.example>`"), ["otp"]),
        Setting(
            "RESEND_URL", "the URL of Resend, or of a stand-in", .provider, ["otp"], default: "https://api.resend.com"),
        Setting("SMTP_HOST", "the mail server; required with `smtp`", .text("a host name or an IP address"), ["otp"]),
        Setting(
            "SMTP_HELO", "the name in `EHLO`; relays refuse one without a dot",
            .text("a host name, or an IP address in brackets"), ["otp"],
            unset: "the public URL's host, else the domain of `MAIL_FROM`"),
        Setting("SMTP_PORT", "the mail server's port", .integer(1...65_535), ["otp"], default: "587"),
        Setting(
            "SMTP_SECURITY",
            "TLS after STARTTLS, which is required, or TLS from the first byte; `none` only outside production",
            .choice(["starttls", "tls", "none"]), ["otp"], default: "starttls"),
        Setting("SMTP_USER", "the account at the mail server", .text("a name"), ["otp"], unset: "no sign-in"),
        Setting(
            "SMTP_CA_FILE", "the authorities that the mail server's certificate is verified against",
            .text("a PEM file"), ["otp"], unset: "the system's"),
    ]

    static let users: [Setting] = [
        Setting(
            "USER_HOOK_URL",
            "the URL to which user-service and token-service post [events](../app/events.md) for your back end, signed with the secret "
                + "`user_hook_secret`", .text("`https://…`; outside production `http://…` too"), ["token", "user"],
            unset: "no events", compose: .overlay("events")),
        Setting(
            "LATCHKEY_DECISIONS_DIR",
            "a writable folder for the list of [security decisions](../run/backup.md#security-decisions) that a restore must not undo; "
                + "on another disk than the databases", .text(""), ["user"], unset: "no list"),
        Setting(
            "PASSWORD_THREADS",
            "threads that hash [passwords](../app/passwords.md); each uses `passwords.argon2id.memoryKiB` of memory, together "
                + "at most half of the container's. One more thread, with up to 128 MiB, checks [imported "
                + "hashes](../run/migrate.md#hashes) that need more memory, or take longer than four of Latchkey's",
            .integer(1...4), ["user"], unset: "the cores, at most 4"),
        Setting(
            "APPLE_TEAM_ID",
            "your team for [Sign in with Apple](../app/apple.md#revoke-apples-tokens); set it with `APPLE_KEY_ID` and the "
                + "secret `apple_key`, or none of the three", .text("10 characters of `A-Z 0-9`"), ["user"],
            unset: "tokens at Apple are not revoked", compose: .overlay("apple")),
        Setting(
            "APPLE_KEY_ID", "your key for Sign in with Apple", .text("10 characters of `A-Z 0-9`"), ["user"],
            compose: .overlay("apple")),
        Setting(
            "APPLE_URL",
            "the URL of [Apple's server](../app/providers.md) and of its page for [sign-ins in a "
                + "browser](../app/web-sign-in.md), or of a stand-in for tests", .provider, ["user"],
            default: "https://appleid.apple.com"),
        Setting(
            "OIDC_KEYS_URL",
            "a stand-in for the policy's OpenID Connect providers and [phone tokens](../app/phone-tokens.md) in tests; it "
                + "serves keys at the path of each `jwksURL`, and replaces `authorizeURL` and `tokenURL` in the same way",
            .text("`http://…` or `https://…`; not in production"), ["user"]),
    ]
}

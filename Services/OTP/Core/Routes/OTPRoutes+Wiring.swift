import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import RedisClient
import ServiceKit

extension OTPRoutes {
    /// The rules of a dialect, and the store that counts by them.
    struct Terms {
        let rules: CodeRules
        let store: any ChallengeStore
    }

    /// Where traces are written and read.
    struct TraceTerms {
        let book: TraceBook
        let redis: RedisClient
        let script: RedisFunction
    }

    /// What is Twilio's beside its senders.
    struct TwilioTerms {
        /// The Verify Service; nil where no sender uses one.
        var verifications: TwilioVerifications?
        /// Makes the codes, and checks them; nil: we do.
        var checker: (any CodeChecker)?
        /// Nil where Twilio is not asked to tell what became of messages.
        var callbacks: TwilioCallbackTerms?
        /// Is told the number of each right code of ours.
        var approved: @Sendable (String) -> Void = { _ in }
    }

    /// What sign-ins by mail need.
    struct MailCodeTerms {
        let rules: CodeRules
        let store: any ChallengeStore
        let letter: SignInLetter
    }

    /// What mails need.
    struct MailTerms {
        /// Nil: mails only tell people of their accounts.
        let codes: MailCodeTerms?
        let notices: NoticeLetter
        let sender: any MessageSender
        let bars: AddressBars
        /// `resend_webhook_secret`; nil: no webhook is expected.
        var webhooks: WebhookSignature?
    }

    /// Builds the use cases.
    ///
    /// - Parameters:
    ///   - dialects: those in which codes are asked for.
    ///   - store: for what no dialect has rules of its own.
    ///   - mail: nil where no mail goes out.
    ///   - codeKeys: `otp_hmac_key`.
    ///   - attestationKeys: `attestation_otp_user`.
    ///   - hasRoom: whether the store has room for another challenge.
    ///   - twilio: what is Twilio's beside its senders.
    ///   - trace: where it is kept what happened to numbers; nil: nowhere.
    ///   - spending: what messages may cost; nil: nothing is guarded.
    ///   - now: Unix time in seconds.
    ///   - random: so many random bytes.
    init(
        dialects: [Terms], store: any ChallengeStore & ReviewStore, mail: MailTerms? = nil, codeKeys: KeyRing,
        attestationKeys: KeyRing,
        hasRoom: @escaping @Sendable () -> Bool, line: SenderLine, twilio: TwilioTerms = TwilioTerms(),
        trace: TraceTerms? = nil, spending: (policy: SpendPolicy, book: SpendBook)? = nil, logger: Logger,
        now: @escaping @Sendable () -> Int64 = { UnixTime.seconds() },
        random: @escaping @Sendable (Int) -> [UInt8] = { SecureRandom.bytes($0) }
    ) {
        let secrets = CodeSecrets(keys: codeKeys)
        // All dialects send by the same providers.
        let pace = SendPace<OTPRequestAnswer>()
        func send(_ rules: CodeRules, _ store: any ChallengeStore, _ line: SenderLine) -> SendCode {
            SendCode(
                terms: CallTerms(rules: rules, secrets: secrets), store: store, hasRoom: hasRoom, line: line,
                pace: line.channels.contains(SenderLine.mailChannel) ? SendPace() : pace, trace: trace?.book,
                logger: logger, now: now, random: random)
        }
        func judge(
            _ rules: CodeRules, _ store: any ChallengeStore, provider: AskProvider? = nil,
            approved: @escaping @Sendable (String) -> Void = { _ in }
        ) -> JudgeCode {
            JudgeCode(
                terms: CallTerms(rules: rules, secrets: secrets), store: store, attestationKeys: attestationKeys,
                trace: trace?.book, provider: provider, now: now, approved: approved)
        }
        let provider = twilio.checker.map { AskProvider($0, load: line.load) }
        let codes = dialects.map { dialect in
            (
                dialect.rules.dialect,
                DialectCodes(
                    request: RequestCode(send: send(dialect.rules, dialect.store, line)),
                    verify: VerifyCode(
                        judge: judge(
                            dialect.rules, dialect.store, provider: provider, approved: twilio.approved)))
            )
        }
        self.codes = Dictionary(codes) { first, _ in first }
        self.mail = mail.flatMap { mail in
            mail.codes.map { codes in
                MailCodes(
                    request: RequestMail(
                        send: send(codes.rules, codes.store, SenderLine(mail: mail.sender)), letter: codes.letter,
                        bars: mail.bars),
                    verify: VerifyMail(judge: judge(codes.rules, codes.store)))
            }
        }
        sendNotice = mail.map { mail in
            SendNotice(
                letter: mail.notices, sender: mail.sender, bars: mail.bars, secrets: secrets, now: now, logger: logger)
        }
        tendMail = mail.map { mail in
            TendMail(
                appName: mail.notices.appName, sender: mail.sender, bars: mail.bars, secrets: secrets)
        }
        noteMailFate = mail.flatMap { mail in
            mail.webhooks.map { NoteMailFate(signature: $0, bars: mail.bars, secrets: secrets, now: now) }
        }
        forgetNetworks = ForgetNetworks(secrets: secrets, store: store, now: now)
        let native = dialects.first { $0.rules.dialect == Dialect.native } ?? dialects.first
        clearNumber = native.map {
            ClearNumber(terms: CallTerms(rules: $0.rules, secrets: secrets), store: store, now: now)
        }
        noteMessageFate = native.flatMap { native in
            twilio.callbacks.map {
                NoteMessageFate(
                    $0, rules: native.rules, secrets: secrets, trace: trace?.book, store: native.store, now: now,
                    logger: logger)
            }
        }
        sendTestMessage = native.map {
            SendTestMessage(
                rules: $0.rules, store: $0.store, line: line, verifications: twilio.verifications, secrets: secrets,
                now: now, random: random)
        }
        readTrace = trace.map { ReadTrace(redis: $0.redis, script: $0.script, secrets: secrets, now: now) }
        reportSpending = spending.map { ReportSpending(policy: $0.policy, book: $0.book, now: now) }
        tendReviews = TendReviews(
            rules: dialects.map(\.rules), store: store, secrets: secrets, now: now, random: random)
    }
}

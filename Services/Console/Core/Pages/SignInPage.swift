/// The pages before the sign-in: the number or address, then the code, then a second factor if the account has one.
struct SignInPage: Sendable {
    /// The number or address that a code was sent to; `nil` before.
    let recipient: String?
    /// The token for the second factor; `nil` before.
    var mfaToken: String?
    let frame: PageFrame

    var body: HTML { mfaToken.map(factor) ?? recipient.map(code) ?? start }

    private var start: HTML {
        frame.form(
            "/sign-in",
            """
            <p>\(frame.words(.signInAdvice))</p><label for="to">\(frame.words(.address))</label>\
            <input id="to" name="to" required maxlength="320" autofocus autocomplete="username">\
            <button>\(frame.words(.sendCode))</button>
            """)
    }

    private func code(_ recipient: String) -> HTML {
        let hidden: HTML = "<input type=\"hidden\" name=\"to\" value=\"\(recipient)\">"
        return """
            \(frame.form("/sign-in/code", "<p>\(frame.words(.codeSent, recipient))</p>\(hidden)\(Self.field(frame.words))"))
            \(frame.form("/sign-in", "\(hidden)<button class=\"quiet\">\(frame.words(.sendAgain))</button>"))
            """
    }

    private func factor(_ mfaToken: String) -> HTML {
        frame.form(
            "/sign-in/factor",
            """
            <p>\(frame.words(.factorAdvice))</p><input type="hidden" name="mfa" value="\(mfaToken)">\
            <label for="code">\(frame.words(.verificationCode))</label><input id="code" name="code" required maxlength="32" \
            autofocus autocomplete="one-time-code"><button>\(frame.words(.signIn))</button>
            """)
    }

    /// The field of a code, and its button.
    static func field(_ words: Words) -> HTML {
        """
        <label for="code">\(words(.verificationCode))</label><input id="code" name="code" required maxlength="16" autofocus \
        inputmode="numeric" autocomplete="one-time-code"><button>\(words(.signIn))</button>
        """
    }
}

/// The page on which administrators show again who they are, before the task that waits.
struct ProofPage: Sendable {
    let task: WaitingTask
    let frame: PageFrame

    var body: HTML {
        let (words, what) = (frame.words, "\(frame.words(task.act.text)) (\(task.subject))")
        let hidden: HTML = "<input type=\"hidden\" name=\"task\" value=\"\(task.id)\">"
        return """
            <section>
            \(frame.form("/prove", "<p>\(words(.proveAdvice, what))</p>\(hidden)\(SignInPage.field(words))"))
            \(frame.form("/prove/send", "<button class=\"quiet\">\(words(.sendAgain))</button>"))
            </section>
            """
    }
}

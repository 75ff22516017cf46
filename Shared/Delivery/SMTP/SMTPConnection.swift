import CCurl
import Curl

/// A connection to a mail server, kept open between mails and reopened when the server has closed it.
///
/// Only one thread may use it at a time.
@safe final class SMTPConnection {
    private let curl: CurlLibrary
    private let server: SMTPServer
    private let handle: UnsafeMutableRawPointer

    /// Seconds for which an idle connection is reused.
    private static let restSecondsMax = 60

    init?(to server: SMTPServer, by curl: CurlLibrary) {
        guard let handle = unsafe curl.easyInit() else { return nil }
        self.curl = curl
        self.server = server
        unsafe self.handle = handle
    }

    deinit { unsafe curl.cleanup(handle) }

    /// Passes one mail to the server, and blocks the thread for at most `milliseconds`.
    func send(_ mail: [UInt8], from sender: String, to recipient: String, within milliseconds: Int) -> SMTPDialogue {
        let exchange = Exchange(mail: mail)
        // Resets the options, keeps the connection.
        unsafe curl.reset(handle)
        let recipients = unsafe "<\(recipient)>".withCString { unsafe curl.append(nil, $0) }
        defer { unsafe curl.freeList(recipients) }
        return withExtendedLifetime(exchange) {
            let options = unsafe CurlOptions(curl: curl, handle: handle)
            options.describe(server)
            options.set(CURLOPT_MAIL_FROM, "<\(sender)>")
            unsafe options.set(CURLOPT_MAIL_RCPT, recipients)
            options.set(CURLOPT_TIMEOUT_MS, milliseconds)
            options.set(CURLOPT_MAXAGE_CONN, Self.restSecondsMax)
            options.connect(exchange)
            guard options.areSet, unsafe recipients != nil else { return SMTPDialogue(result: CURLE_OUT_OF_MEMORY) }
            exchange.dialogue.result = unsafe curl.perform(handle)
            exchange.dialogue.progress = progress
            return exchange.dialogue
        }
    }

    /// How far the last connection came.
    private var progress: SMTPDialogue.Progress {
        func isReached(_ info: CURLINFO) -> Bool { unsafe curl_get_seconds(curl.getInfo, handle, info) > 0 }
        if isReached(CURLINFO_APPCONNECT_TIME) { return .secret }
        if isReached(CURLINFO_CONNECT_TIME) { return .connected }
        return isReached(CURLINFO_NAMELOOKUP_TIME) ? .found : .none
    }

    /// The data that one mail's callbacks read and write.
    fileprivate final class Exchange {
        private let mail: [UInt8]
        private var sent = 0
        var dialogue = SMTPDialogue(result: CURLE_OK)

        init(mail: [UInt8]) { self.mail = mail }

        /// Fills the buffer as far as possible; returns 0 at the end of the mail.
        func read(into room: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(room.count, mail.count - sent)
            unsafe mail[sent..<sent + count].withUnsafeBytes { unsafe room.copyMemory(from: $0) }
            sent += count
            return count
        }
    }
}

/// The libcurl options of one mail.
extension CurlOptions {
    private static var replySecondsMax: Int { 5 }

    /// Sets the server to connect to, and how its identity is checked.
    fileprivate func describe(_ server: SMTPServer) {
        set(CURLOPT_URL, server.url)
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // No proxy from the environment may be between us and the server whose name is checked.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOSIGNAL, 1)
        // Limits the reply to QUIT too, to which no other limit applies.
        set(CURLOPT_SERVER_RESPONSE_TIMEOUT, Self.replySecondsMax)
        set(CURLOPT_UPLOAD, 1)
        // Required, never optional: with CURLUSESSL_TRY a stripped STARTTLS would send the password in the clear.
        let isSecret = server.security != .none
        set(CURLOPT_USE_SSL, Int((isSecret ? CURLUSESSL_ALL : CURLUSESSL_NONE).rawValue))
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(server.trust)
        if let credentials = server.credentials {
            set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
            set(CURLOPT_USERNAME, credentials.user)
            set(CURLOPT_PASSWORD, credentials.password)
        }
    }

    private func set(_ trust: SMTPServer.Trust) {
        switch trust {
        case .system: break
        case .systemAnd(let authorities):
            // The blob replaces libcurl's file of the system's authorities, so it contains them too.
            set(CURLOPT_CAINFO_BLOB, authorities)
        case .only(let file):
            set(CURLOPT_CAINFO, file)
            // libcurl would also search the system's folder of authorities.
            clear(CURLOPT_CAPATH)
        }
    }

    /// Makes libcurl read the mail from `exchange` and report the dialogue to it; `exchange` must outlive the send.
    fileprivate func connect(_ exchange: SMTPConnection.Exchange) {
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        note(
            unsafe curl_set_reader(
                curl.setOption, handle,
                { buffer, size, count, context in
                    guard let exchange = unsafe CurlOptions.exchange(context) else { return Int(CURL_READFUNC_ABORT) }
                    return unsafe exchange.read(
                        into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
                }, context))
        set(CURLOPT_VERBOSE, 1)
        note(
            unsafe curl_set_observer(
                curl.setOption, handle,
                { _, kind, text, count, context in
                    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
                    unsafe CurlOptions.exchange(context)?.dialogue.note(kind, bytes)
                    return 0
                }, context))
    }

    private static func exchange(_ context: UnsafeMutableRawPointer?) -> SMTPConnection.Exchange? {
        unsafe context.map { unsafe Unmanaged<SMTPConnection.Exchange>.fromOpaque($0).takeUnretainedValue() }
    }
}

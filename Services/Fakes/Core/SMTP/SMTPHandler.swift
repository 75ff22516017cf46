import CryptoPrimitives
import NIOCore
import NIOSSL

/// One connection of the fake mail server. It reads lines and writes replies, or the script's replies instead.
final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The greatest length of a line, in bytes.
    private static let lineBytesMax = 64 * 1024

    private let identity: ServerIdentity?
    private let mails: MailStore
    private let script: Script
    private let now: @Sendable () -> Int64
    private var session: SMTPSession
    private var received: [UInt8] = []
    /// Whether a line waits for the end of a scripted pause.
    private var isHanging = false

    init(identity: ServerIdentity?, mails: MailStore, script: Script, now: @escaping @Sendable () -> Int64) {
        self.identity = identity
        self.mails = mails
        self.script = script
        self.now = now
        session = SMTPSession(offersTLS: identity != nil)
    }

    func channelActive(context: ChannelHandlerContext) {
        script.noteConnection()
        say(SMTPSession.greeting, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(unwrapInboundIn(data).readableBytesView)
        guard received.count <= Self.lineBytesMax || received.contains(0x0A) else { return context.close(promise: nil) }
        answerLines(context)
    }

    private func answerLines(_ context: ChannelHandlerContext) {
        while !isHanging, let line = nextLine() {
            let command = session.command(line)
            if command == "EHLO" { script.noteGreeting(line) }
            let step = command.flatMap { script.next("smtp", at: $0) }
            guard let seconds = step?.hang else {
                answer(line, step, context)
                continue
            }
            isHanging = true
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            let context = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.value.eventLoop.scheduleTask(in: .milliseconds(Int64(seconds * 1_000))) {
                handler.value.isHanging = false
                handler.value.answer(line, step, context.value)
                handler.value.answerLines(context.value)
            }
        }
    }

    private func answer(_ line: String, _ step: Script.Step?, _ context: ChannelHandlerContext) {
        let before = session
        let act = session.take(line)
        // A command that is refused has no effect.
        if case .reply = act, let first = step?.reply?.first, "45".contains(first) { session = before }
        if case .accept(let source, let from, let to) = act, step?.reply == nil { keep(source, from, to) }
        if step?.drop == true { return context.close(promise: nil) }
        switch act {
        case .nothing: break
        case .accept: say(step?.reply ?? "250 2.0.0 taken", context)
        case .reply(let text): say(step?.reply ?? text, context)
        case .close(let text):
            say(text, context)
            context.close(promise: nil)
        case .startTLS(let text):
            say(step?.reply ?? text, context)
            // After a scripted refusal TLS does not begin.
            if step?.reply?.hasPrefix("220") ?? true { startTLS(context) }
        }
    }

    private func startTLS(_ context: ChannelHandlerContext) {
        guard let identity else { return }
        do {
            try context.pipeline.syncOperations.addHandler(
                NIOSSLServerHandler(context: identity.context), position: .first)
        } catch { return context.close(promise: nil) }
        session.becomeSecret()
        received = []
    }

    private func keep(_ source: String, _ from: String, _ to: [String]) {
        let subject = source.split(separator: "\r\n").first { $0.hasPrefix("Subject: ") }?.dropFirst(9)
        mails.add(
            MailStore.Mail(
                id: UUIDText.random(), provider: "smtp", from: from, to: to, subject: subject.map(String.init) ?? "",
                text: nil, html: nil, source: source, createdAt: now()))
    }

    /// - Parameter text: the lines, separated by LF.
    private func say(_ text: String, _ context: ChannelHandlerContext) {
        let lines = text.replacing("\n", with: "\r\n") + "\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: lines)), promise: nil)
    }

    private func nextLine() -> String? {
        guard let end = received.firstIndex(of: 0x0A) else { return nil }
        let line = received[..<end]
        defer { received.removeFirst(end + 1) }
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
}

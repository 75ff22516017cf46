import Testing

@testable import FakesCore

@Suite struct SMTPSessionTests {
    @Test func `a mail goes through as RFC 5321 says`() {
        var session = SMTPSession(offersTLS: true)
        #expect(session.take("EHLO me") == .reply("250-localhost\n250-STARTTLS\n250-AUTH PLAIN LOGIN\n250 8BITMIME"))
        #expect(session.take("DATA") == .reply("503 5.5.1 no recipient"))
        #expect(session.take("AUTH LOGIN") == .reply("334 VXNlcm5hbWU6"))
        #expect(session.take("dXNlcg==") == .reply("334 UGFzc3dvcmQ6"))
        #expect(session.take("cGFzcw==") == .reply("235 2.7.0 welcome"))
        #expect(session.take("MAIL FROM:<a@example.com>") == .reply("250 2.1.0 from"))
        #expect(session.take("RCPT TO:<b@example.com>") == .reply("250 2.1.5 to"))
        #expect(session.take("DATA") == .reply("354 end with a dot"))
        #expect(session.take("Subject: s") == .nothing && session.take("..dot") == .nothing)
        #expect(
            session.take(".")
                == .accept(source: "Subject: s\r\n.dot\r\n", from: "a@example.com", to: ["b@example.com"]))
        #expect(session.take("DATA") == .reply("503 5.5.1 no recipient"))
        #expect(session.take("QUIT") == .close("221 2.0.0 bye"))
    }

    @Test func `what was said before TLS does not count`() {
        var session = SMTPSession(offersTLS: true)
        _ = session.take("MAIL FROM:<a@example.com>")
        #expect(session.take("STARTTLS") == .startTLS("220 2.0.0 go ahead"))
        session.becomeSecret()
        #expect(session.take("RCPT TO:<b@example.com>") == .reply("501 5.5.4 RCPT TO:<address>"))
        #expect(session.take("STARTTLS") == .reply("454 4.7.0 no TLS here"))
    }
}

import NIOCore
import Testing

@testable import EdgeHTTP

@Suite struct ConnectionMachineTests {
    private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    private func post(_ fields: String, _ body: String = "") -> String {
        "POST /b HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    /// A machine that has read `text` up to a request's head.
    private func machine(_ text: String, limits: ServerLimits = ServerLimits()) throws -> ConnectionMachine {
        var machine = ConnectionMachine(limits: limits)
        let isTaken = machine.receive(ByteBuffer(string: text))
        #expect(isTaken)
        guard case .request = try machine.next() else { throw Unexpected() }
        return machine
    }

    private struct Unexpected: Error {}

    // MARK: The order of requests

    @Test func `the next request is read once the one before is answered`() throws {
        var machine = try machine(get + get.replacing("/a", with: "/second"))
        #expect(try machine.next().name == "wait" && machine.hasInbound)
        machine.beginReply(closes: false)
        let ended = machine.endAnswer()
        #expect(ended == .rest && machine.stage == .idle && !machine.closesAfter)
        guard case .request(let head) = try machine.next() else { throw Unexpected() }
        #expect(head.pathText == "/second")
    }

    @Test func `a head in pieces is told of once`() throws {
        var machine = ConnectionMachine(limits: ServerLimits())
        #expect(try machine.next().name == "wait")
        _ = machine.receive(ByteBuffer(string: "GET / HT"))
        #expect(try machine.next().name == "headBegan" && machine.isHeadUnderWay)
        _ = machine.receive(ByteBuffer(string: "TP/1.1\r\nHost: a\r\n"))
        #expect(try machine.next().name == "wait")
        _ = machine.receive(ByteBuffer(string: "\r\n"))
        #expect(try machine.next().name == "request" && !machine.isHeadUnderWay)
    }

    @Test func `a turn ends behind so many requests`() throws {
        var machine = try machine(String(repeating: get, count: Turn.requestsMax + 1))
        for _ in 1..<Turn.requestsMax {
            #expect(!machine.isTurnOver)
            machine.beginReply(closes: false)
            _ = machine.endAnswer()
            #expect(try machine.next().name == "request")
        }
        #expect(machine.isTurnOver && machine.hasInbound)
        machine.beginTurn()
        #expect(!machine.isTurnOver)
    }

    @Test func `more than anybody asked for is not taken`() {
        var machine = ConnectionMachine(limits: ServerLimits())
        let isTaken = machine.receive(ByteBuffer(repeating: 0x61, count: InboundReader.bytesMax))
        #expect(isTaken)
        let isMoreTaken = machine.receive(ByteBuffer(string: "a"))
        #expect(!isMoreTaken)
    }

    // MARK: Bodies

    @Test(arguments: [
        ("Content-Length: 5", "hello", ["body hello last"]),
        ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", ["body hello last"]),
        ("Content-Length: 0", "", []),
    ])
    func `a body comes behind its head, and then its end`(field: String, body: String, steps: [String]) throws {
        var machine = try machine(post(field, body + get))
        for step in steps { #expect(try machine.next().name == step) }
        #expect(machine.isRequestWhole)
        #expect(try machine.next().name == "wait")
        machine.beginReply(closes: false)
        let ended = machine.endAnswer()
        #expect(ended == .rest)
        #expect(try machine.next().name == "request")
    }

    @Test func `an end that comes by itself is told by itself`() throws {
        var machine = try machine(post("Transfer-Encoding: chunked", "5\r\nhello\r\n"))
        #expect(try machine.next().name == "body hello")
        #expect(try machine.next().name == "wait" && machine.lacksBody)
        _ = machine.receive(ByteBuffer(string: "0\r\n\r\n"))
        #expect(try machine.next().name == "bodyEnd" && machine.isRequestWhole)
    }

    @Test(arguments: [("", true), ("h", false)])
    func `a client that waits is to be told to go on, unless it has begun`(sent: String, owes: Bool) throws {
        #expect(try machine(post("Content-Length: 5\r\nExpect: 100-continue", sent)).owesContinue == owes)
        #expect(try !machine(post("Content-Length: 5", sent)).owesContinue)
        #expect(try !machine(post("Content-Length: 0\r\nExpect: 100-continue")).owesContinue)
    }

    @Test func `what breaks the framing is thrown`() throws {
        var machine = try machine(post("Transfer-Encoding: chunked", "5;x\r\nhello\r\n"))
        #expect(throws: HTTPViolation.badChunk) { try machine.next() }
    }

    // MARK: Keep or close

    @Test(arguments: [
        // What our own answer leaves of a body that is not through: the rest is read if that is worth it.
        ("Content-Length: 65536", ConnectionMachine.Ending.discard), ("Content-Length: 65537", .linger),
        ("Transfer-Encoding: chunked", .discard), ("Content-Length: 1\r\nExpect: 100-continue", .linger),
        ("Content-Length: 0\r\nExpect: 100-continue", .rest), ("Content-Length: 1\r\nConnection: close", .linger),
    ])
    func `an answer before the body is through`(fields: String, ending: ConnectionMachine.Ending) throws {
        var machine = try machine(post(fields))
        machine.beginReply(closes: false)
        let ended = machine.endAnswer()
        #expect(ended == ending)
        #expect(machine.closesAfter == (ending == .linger))
    }

    @Test func `the rest of a body is dropped, and the next request read`() throws {
        var machine = try machine(post("Content-Length: 5", "he"))
        machine.beginReply(closes: false)
        let ended = machine.endAnswer()
        #expect(ended == .discard)
        #expect(try machine.next().name == "dropped")
        #expect(try machine.next().name == "wait")
        _ = machine.receive(ByteBuffer(string: "llo" + get))
        #expect(try machine.next().name == "dropped")
        #expect(try machine.next().name == "through rest")
        #expect(try machine.next().name == "request")
    }

    @Test func `a rest that does not end ends the connection`() throws {
        var limits = ServerLimits()
        limits.discardedBytesMax = 4
        var machine = try machine(post("Transfer-Encoding: chunked", "5\r\nhello\r\n"), limits: limits)
        machine.beginReply(closes: false)
        let ended = machine.endAnswer()
        #expect(ended == .discard)
        #expect(try machine.next().name == "linger")
    }

    @Test(arguments: [("Content-Length: 1", ConnectionMachine.Ending.linger), ("Content-Length: 0", .rest)])
    func `an upstream that answers before it has the whole request ends the connection`(
        field: String, ending: ConnectionMachine.Ending
    ) throws {
        var machine = try machine(post(field))
        machine.beginProxiedAnswer()
        let ended = machine.endAnswer()
        #expect(machine.closesAfter == (ending == .linger) && ended == ending)
    }

    @Test func `behind a part of an answer there is no place for a refusal`() throws {
        var machine = try machine(get)
        #expect(machine.mayRefuse && machine.owesAnswer)
        machine.beginProxiedAnswer()
        #expect(!machine.mayRefuse && !machine.owesAnswer)
        _ = machine.endAnswer()
        #expect(machine.mayRefuse && !machine.owesAnswer)
    }

    @Test func `a refusal ends the connection`() throws {
        var machine = try machine(post("Content-Length: 5", "he"))
        machine.closeAfterAnswer()
        machine.beginReply(closes: false)
        let ended = machine.endAnswer()
        #expect(ended == .linger)
    }

    // MARK: Drain and end

    @Test func `while draining a request that is not answered yet is the last`() throws {
        var machine = try machine(get)
        machine.drain()
        #expect(machine.closesAfter)
        machine.beginReply(closes: false)
        let ended = machine.endAnswer()
        #expect(ended == .linger)
    }

    @Test func `an answer that has promised to keep the connection is followed by one more`() throws {
        var machine = try machine(get + get)
        machine.beginProxiedAnswer()
        machine.drain()
        let ended = machine.endAnswer()
        #expect(!machine.closesAfter && ended == .rest)
        #expect(try machine.next().name == "request" && machine.closesAfter)
    }

    @Test func `after a refusal the rest of a body is dropped, and what follows it too`() throws {
        for (field, body) in [
            ("Content-Length: 5", "hello"), ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"),
        ] {
            var machine = try machine(post(field))
            machine.beginReply(closes: true)
            let ended = machine.endAnswer()
            machine.linger()
            #expect(ended == .linger && machine.stage == .absorbing(bytesLeft: 64 << 20))
            #expect(
                machine.rank(.none, takesAnswers: true) == .leaving && machine.takesInput(.none, takesAnswers: true))
            _ = machine.receive(ByteBuffer(string: body + get))
            #expect(try machine.next().name == "dropped")
            #expect(try machine.next().name == "absorbed")
            #expect(try machine.next().name == "wait" && !machine.hasInbound)
        }
    }

    @Test func `a rest of a body that breaks its framing is dropped for a short while`() throws {
        var machine = try machine(post("Transfer-Encoding: chunked"))
        machine.beginReply(closes: true)
        _ = machine.endAnswer()
        machine.linger()
        _ = machine.receive(ByteBuffer(string: "x\r\n" + get))
        #expect(try machine.next().name == "absorbed")
        #expect(machine.stage == .lingering(bytesLeft: ServerLimits().lingerBytesMax))
    }

    @Test(arguments: [
        ("POST /a%2Fb HTTP/1.1", "Host: a\r\nContent-Length: 5", true),
        ("PURGE / HTTP/1.1", "Host: a\r\nContent-Length: 5", true),
        ("POST / HTTP/1.1", "Content-Length: 5", true), ("POST / HTTP/1.2", "Host: a\r\nContent-Length: 5", false),
        ("POST / HTTP/1.1", "Host: a\r\nContent-Length: 5\r\nContent-Length: 5", false),
        ("POST /a%2Fb HTTP/1.0", "Host: a\r\nTransfer-Encoding: chunked", false),
        ("POST /a%2Fb HTTP/1.1", "Host: a\r\nContent_Length: 5", false), ("GET /a%2Fb HTTP/1.1", "Host: a", false),
    ])
    func `after a refused head a body is read only where its end is certain`(
        line: String, fields: String, isRead: Bool
    ) throws {
        var machine = ConnectionMachine(limits: ServerLimits())
        _ = machine.receive(ByteBuffer(string: "\(line)\r\n\(fields)\r\n\r\n"))
        #expect(throws: HTTPViolation.self) { try machine.next() }
        machine.closeAfterAnswer()
        machine.beginReply(closes: true)
        #expect(machine.endAnswer() == .linger)
        machine.linger()
        let absorbing = ConnectionMachine.Stage.absorbing(bytesLeft: 64 << 20)
        #expect(machine.stage == (isRead ? absorbing : .lingering(bytesLeft: ServerLimits().lingerBytesMax)))
    }

    @Test func `nothing of a refused head is kept once it is answered`() throws {
        let large = "X-Large: " + String(repeating: "x", count: 30_000)
        for end in ["\r\nHost: a\r\n\r\n", "\r\nHost: a\r\nbad\n"] {
            var machine = ConnectionMachine(limits: ServerLimits())
            _ = machine.receive(ByteBuffer(string: "POST /a%2Fb HTTP/1.1\r\n\(large)\(end)"))
            #expect(throws: HTTPViolation.self) { try machine.next() }
            #expect(machine.headBytes.readableBytes > 30_000)
            machine.closeAfterAnswer()
            machine.linger()
            machine.forgetRefused()
            #expect(try machine.next().name == "wait")
            machine.releaseEmptyBuffer()
            #expect(machine.headBytes.storageCapacity == 0 && machine.inboundCapacity == 0)
            #expect(!machine.isHeadUnderWay)
        }
    }

    @Test func `a closed half drops what comes, up to a bound`() throws {
        var limits = ServerLimits()
        limits.lingerBytesMax = 4
        var machine = try machine(get, limits: limits)
        machine.linger()
        _ = machine.receive(ByteBuffer(string: get.prefix(4).description))
        #expect(try machine.next().name == "wait" && !machine.hasInbound)
        _ = machine.receive(ByteBuffer(string: "a"))
        #expect(try machine.next().name == "abort")
        machine.close()
        #expect(try machine.next().name == "wait")
    }

    @Test func `with a proxy in front the first word is the proxy's`() throws {
        var limits = ServerLimits()
        limits.expectsProxyHeader = true
        var machine = ConnectionMachine(limits: limits)
        #expect(machine.stage == .preface && machine.rank(.none, takesAnswers: true) == .unfinished)
        #expect(try machine.next().name == "wait")
        _ = machine.receive(ByteBuffer(string: get))
        #expect(try machine.next().name == "client malformed")
    }

    // MARK: What is waited for

    @Test(arguments: [
        (Exchange.BodyDemand.none, true, ConnectionRank.answering, false),
        (.paused, false, .unfinished, false), (.wanted, true, .unfinished, true),
    ])
    func `what a body that is not through is waited for`(
        demand: Exchange.BodyDemand, takesInput: Bool, rank: ConnectionRank, awaitsBody: Bool
    ) throws {
        let machine = try machine(post("Content-Length: 5"))
        #expect(machine.takesInput(demand, takesAnswers: true) == takesInput)
        #expect(machine.rank(demand, takesAnswers: true) == rank)
        #expect(machine.awaitsBody(demand) == awaitsBody)
    }

    @Test func `one read is taken ahead while a request is answered`() throws {
        var machine = try machine(get)
        #expect(machine.takesInput(.paused, takesAnswers: false))
        #expect(machine.rank(.paused, takesAnswers: true) == .answering)
        _ = machine.receive(ByteBuffer(string: "G"))
        #expect(!machine.takesInput(.paused, takesAnswers: true))
    }

    @Test func `between requests a client that takes no answers is not read`() throws {
        let machine = ConnectionMachine(limits: ServerLimits())
        #expect(machine.takesInput(.none, takesAnswers: true) && !machine.takesInput(.none, takesAnswers: false))
        #expect(machine.rank(.none, takesAnswers: true) == .idle)
        #expect(machine.rank(.none, takesAnswers: false) == .unfinished)
    }

    @Test func `cut anywhere, the bytes say the same`() throws {
        let chunks = "2\r\nde\r\n0\r\n\r\n"
        let text = post("Content-Length: 3", "abc") + get + post("Transfer-Encoding: chunked", chunks) + get
        let whole = try Self.walk([text])
        #expect(whole.requests == 4 && whole.body == "abcde")
        for cut in 1..<text.utf8.count {
            #expect(try Self.walk([String(text.prefix(cut)), String(text.dropFirst(cut))]) == whole, "\(cut)")
        }
    }

    private struct Walk: Equatable {
        var requests = 0
        var body = ""
    }

    /// Reads all pieces, and answers each request once it is whole.
    private static func walk(_ pieces: [String]) throws -> Walk {
        var machine = ConnectionMachine(limits: ServerLimits())
        var walk = Walk()
        for piece in pieces {
            _ = machine.receive(ByteBuffer(string: piece))
            reading: while true {
                if machine.isTurnOver { machine.beginTurn() }
                switch try machine.next() {
                case .request: walk.requests += 1
                case .body(let data, _): walk.body += String(buffer: data)
                case .bodyEnd: break
                default: break reading
                }
                guard machine.stage == .exchange, machine.isRequestWhole else { continue }
                machine.beginReply(closes: false)
                let ended = machine.endAnswer()
                #expect(ended == .rest)
            }
        }
        return walk
    }
}

extension ConnectionMachine.Step {
    /// For comparing.
    fileprivate var name: String {
        switch self {
        case .wait: "wait"
        case .client(let header): "client \(header)"
        case .headBegan: "headBegan"
        case .request: "request"
        case .body(let data, let isLast): "body \(String(buffer: data))\(isLast ? " last" : "")"
        case .bodyEnd: "bodyEnd"
        case .dropped: "dropped"
        case .absorbed: "absorbed"
        case .through(let ending): "through \(ending)"
        case .linger: "linger"
        case .abort: "abort"
        }
    }
}

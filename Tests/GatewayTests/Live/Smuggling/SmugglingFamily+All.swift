extension SmugglingFamily {
    /// Framing (security guide ), fields, hosts, chunks, paths, methods, and what
    /// llhttp's strict mode rejects.
    static let all = lengths + encodings + lines + starts + hosts + chunks

    private static let lengths = [
        SmugglingFamily(
            "CL.TE", ["Content-Length: 6", "Transfer-Encoding: chunked"], body: "0\r\n\r\nX"),
        SmugglingFamily("TE.CL", ["Transfer-Encoding: chunked", "Content-Length: 4"], body: "5c\r\n"),
        SmugglingFamily("CL.CL", ["Content-Length: 0", "Content-Length: 36"]),
        SmugglingFamily("CL.CL alike", ["Content-Length: 36", "Content-Length: 36"]),
        SmugglingFamily("CL list", ["Content-Length: 0, 36"]),
        SmugglingFamily("CL plus", ["Content-Length: +0"]),
        SmugglingFamily("CL minus", ["Content-Length: -1"]),
        SmugglingFamily("CL hex", ["Content-Length: 0x0"]),
        SmugglingFamily("CL empty", ["Content-Length:"]),
        SmugglingFamily("CL with a space", ["Content-Length: 4 2"]),
        SmugglingFamily("CL with a fraction", ["Content-Length: 0.0"]),
        SmugglingFamily("CL overflow", ["Content-Length: 18446744073709551616"]),
        SmugglingFamily("CL lookalike", ["Content_Length: 36"]),
        SmugglingFamily("CL behind NUL", ["Content-Length\u{0}: 36"]),
    ]

    private static let encodings = [
        SmugglingFamily("TE.TE", ["Transfer-Encoding: chunked", "Transfer-Encoding: x"], body: "0\r\n\r\n"),
        SmugglingFamily("TE space before colon", ["Transfer-Encoding : chunked"], body: "0\r\n\r\n"),
        SmugglingFamily("TE list", ["Transfer-Encoding: identity, chunked"], body: "0\r\n\r\n"),
        SmugglingFamily("TE not last", ["Transfer-Encoding: chunked, identity"], body: "0\r\n\r\n"),
        SmugglingFamily("TE joined", ["Transfer-Encoding: chunkedchunked"], body: "0\r\n\r\n"),
        SmugglingFamily("TE with a parameter", ["Transfer-Encoding: chunked;a=b"], body: "0\r\n\r\n"),
        SmugglingFamily("TE vertical tab", ["Transfer-Encoding: \u{B}chunked"], body: "0\r\n\r\n"),
        SmugglingFamily("TE quoted", ["Transfer-Encoding: \"chunked\""], body: "0\r\n\r\n"),
        SmugglingFamily("TE empty", ["Transfer-Encoding:"]),
        SmugglingFamily("TE lookalike", ["Transfer_Encoding: chunked"], body: "0\r\n\r\n"),
        SmugglingFamily("TE folded", ["Transfer-Encoding:\r\n chunked"], body: "0\r\n\r\n"),
        SmugglingFamily(
            "TE in HTTP/1.0", start: "POST {} HTTP/1.0", ["Transfer-Encoding: chunked"], body: "0\r\n\r\n"),
        SmugglingFamily(
            "TE in HTTP/1.0 that is kept", start: "POST {} HTTP/1.0",
            ["Connection: keep-alive", "Transfer-Encoding: chunked"], body: "0\r\n\r\n"),
        SmugglingFamily(
            "CL.TE in HTTP/1.0", start: "POST {} HTTP/1.0", ["Content-Length: 6", "Transfer-Encoding: chunked"],
            body: "0\r\n\r\nX"),
        SmugglingFamily(
            "CL.TE beside an upgrade",
            ["Connection: Upgrade", "Upgrade: h2c", "Content-Length: 6", "Transfer-Encoding: chunked"],
            body: "0\r\n\r\nX"),
        SmugglingFamily(
            "CL.CL beside an upgrade",
            ["Connection: Upgrade", "Upgrade: websocket", "Content-Length: 0", "Content-Length: 36"]),
        SmugglingFamily(
            "GET with CL.TE", start: "GET {} HTTP/1.1", ["Content-Length: 6", "Transfer-Encoding: chunked"],
            body: "0\r\n\r\nX"),
    ]

    private static let lines = [
        SmugglingFamily("obs-fold", ["X: y\r\n Content-Length: 36"]),
        SmugglingFamily("bare LF", ["X: y\nContent-Length: 36"]),
        SmugglingFamily("bare CR", ["X: y\rContent-Length: 36"]),
        SmugglingFamily("NUL in a value", ["X: y\u{0}"]),
        SmugglingFamily("control in a value", ["X: a\u{1}b"]),
        SmugglingFamily("no colon", ["Content-Length 36"]),
        SmugglingFamily("empty name", [": y"]),
        SmugglingFamily("space in a name", ["X Y: z"]),
        SmugglingFamily("tab before the colon", ["X\t: y"]),
        SmugglingFamily("space before the first field", start: "POST {} HTTP/1.1\r\n X: y"),
        SmugglingFamily("DEL in a name", ["X\u{7F}: y"]),
        SmugglingFamily("letter outside ASCII in a name", ["X\u{FC}: y"]),
    ]

    private static let starts = [
        SmugglingFamily("absolute form with another host", start: "GET http://b{} HTTP/1.1"),
        SmugglingFamily("absolute form with userinfo", start: "GET http://a.example@b{} HTTP/1.1"),
        SmugglingFamily("absolute form with an empty host", start: "GET http://{} HTTP/1.1"),
        SmugglingFamily("absolute form with another port", start: "GET http://a.example:81{} HTTP/1.1"),
        SmugglingFamily("absolute form of another scheme", start: "GET ftp://a.example{} HTTP/1.1"),
        SmugglingFamily("absolute form in HTTP/1.0 with another host", start: "GET http://b{} HTTP/1.0"),
        SmugglingFamily("a PROXY line", start: "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET {} HTTP/1.1"),
        SmugglingFamily("authority form", start: "CONNECT b:80 HTTP/1.1"),
        SmugglingFamily("asterisk form", start: "GET * HTTP/1.1"),
        SmugglingFamily("fragment", start: "GET {}#x HTTP/1.1"),
        SmugglingFamily("dots in the path", start: "GET {}/%2e%2e/x HTTP/1.1"),
        SmugglingFamily("slash in a segment", start: "GET {}%2fx HTTP/1.1"),
        SmugglingFamily("empty first line", start: "\r\nGET {} HTTP/1.1"),
        SmugglingFamily("two requests in one line", start: "GET {} HTTP/1.1 GET {} HTTP/1.1"),
        SmugglingFamily("two spaces", start: "GET  {} HTTP/1.1"),
        SmugglingFamily("tab for a space", start: "GET\t{} HTTP/1.1"),
        SmugglingFamily("space behind the version", start: "GET {} HTTP/1.1 "),
        SmugglingFamily("no version", start: "GET {}"),
        SmugglingFamily("version 1.2", start: "GET {} HTTP/1.2"),
        SmugglingFamily("version 01.1", start: "GET {} HTTP/01.1"),
        SmugglingFamily("version in lower case", start: "GET {} http/1.1"),
        SmugglingFamily("another protocol", start: "GET {} ICE/1.0"),
        SmugglingFamily("method in lower case", start: "get {} HTTP/1.1"),
        SmugglingFamily("HTTP/2 preface", start: "PRI * HTTP/2.0", body: "SM\r\n\r\n"),
    ]

    private static let hosts = [
        SmugglingFamily("two hosts", start: "GET {} HTTP/1.1", ["Host: b"]),
        SmugglingFamily("two hosts in HTTP/1.0", start: "GET {} HTTP/1.0", ["Host: b"]),
        SmugglingFamily("no host in HTTP/1.0", start: "GET {} HTTP/1.0", hasHost: false),
        SmugglingFamily("absolute form without a host", start: "GET http://a.example{} HTTP/1.1", hasHost: false),
        SmugglingFamily("absolute form with two hosts", start: "GET http://a.example{} HTTP/1.1", ["Host: a.example"]),
        SmugglingFamily("no host", start: "GET {} HTTP/1.1", hasHost: false),
        SmugglingFamily("host with a space", start: "GET {} HTTP/1.1", ["Host: a b"], hasHost: false),
        SmugglingFamily("host list", start: "GET {} HTTP/1.1", ["Host: a, b"], hasHost: false),
    ]

    private static let chunks = [
        ("extension", "5;ext=1\r\nhello\r\n0\r\n\r\n"), ("plus", "+5\r\nhello\r\n0\r\n\r\n"),
        ("minus", "-5\r\nhello\r\n0\r\n\r\n"), ("prefix 0x", "0x5\r\nhello\r\n0\r\n\r\n"),
        ("overflow", "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"), ("too much data", "5\r\nhelloGET / HTTP/1.1\r\n"),
        ("bare LF", "5\nhello\r\n0\r\n\r\n"), ("bare LF after the data", "5\r\nhello\n0\r\n\r\n"),
        ("space before the size", " 5\r\nhello\r\n0\r\n\r\n"), ("space behind the size", "5 \r\nhello\r\n0\r\n\r\n"),
        ("no size", "\r\nhello\r\n0\r\n\r\n"), ("no digit", "g\r\nhello\r\n0\r\n\r\n"),
        ("bad trailer", "0\r\nno colon\r\n\r\n"),
    ].map { SmugglingFamily("chunk: \($0.0)", ["Transfer-Encoding: chunked"], body: $0.1) }
}

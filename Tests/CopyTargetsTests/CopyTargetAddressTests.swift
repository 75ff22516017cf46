import Testing

@testable import CopyTargets

@Suite struct CopyTargetAddressTests {
    @Test func `a folder, an SFTP folder and a bucket are read`() throws {
        #expect(try CopyTargetAddress("/mnt/copies") == .directory("/mnt/copies"))
        guard case .sftp(let sftp) = try CopyTargetAddress("sftp://copy@[::1]:2222/srv/copies/") else {
            Issue.record("no SFTP address")
            return
        }
        #expect((sftp.user, sftp.host, sftp.port, sftp.path) == ("copy", "[::1]", 2222, "/srv/copies"))
        guard case .s3(let s3) = try CopyTargetAddress("s3://acme-copies/eu/latchkey/?region=eu-central-1") else {
            Issue.record("no S3 address")
            return
        }
        #expect((s3.bucket, s3.prefix, s3.region) == ("acme-copies", "eu/latchkey", "eu-central-1"))
        #expect(s3.endpoint == "https://s3.eu-central-1.amazonaws.com")
    }

    @Test(arguments: [
        ("sftp://copy@files.example/srv", 22), ("sftp://copy@files.example:2022/srv", 2022),
    ]) func `an SFTP address has a port`(text: String, port: Int) throws {
        guard case .sftp(let address) = try CopyTargetAddress(text) else { throw CopyTargetAddressError(text) }
        #expect(address.port == port)
    }

    @Test(arguments: [
        "https://minio.example:9000", "https://minio.example/", "http://127.0.0.1:9000", "http://localhost",
        "http://[::1]:1",
    ]) func `an endpoint is https, or a loopback address`(endpoint: String) throws {
        guard case .s3(let address) = try CopyTargetAddress("s3://copies?region=x&endpoint=\(endpoint)") else {
            throw CopyTargetAddressError(endpoint)
        }
        #expect(address.endpoint == (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint))
    }

    @Test(arguments: [
        "", "copies", "./copies", "ftp://copy@host/srv", "SFTP://copy@host/srv", "/a\0b",
        "sftp://host/srv", "sftp://@host/srv", "sftp://copy:hunter2@host/srv", "sftp://copy@/srv", "sftp://copy@host",
        "sftp://copy@host/", "sftp://copy@host:0/srv", "sftp://copy@host:65536/srv", "sftp://copy@host:/srv",
        "sftp://copy@host:x/srv", "sftp://copy@-oProxyCommand/srv", "sftp://copy@ho st/srv", "sftp://copy@[::1/srv",
        "sftp://copy@[::1]x/srv", "sftp://copy@host/a/../b", "sftp://copy@host//srv", "sftp://copy@host/s\"rv",
        "sftp://copy@host/srv\nrm", "sftp://copy@host/s%2frv", "sftp://copy@host/srv?x=hunter2",
        "s3://copies", "s3://copies?region=", "s3://co?region=x", "s3://Copies?region=x", "s3://copies/a//b?region=x",
        "s3://copies/../b?region=x", "s3://copies?region=x&region=y", "s3://copies?region=x&key=hunter2",
        "s3://AKIA:hunter2@copies?region=x", "s3://copies?region=a/b",
        "s3://copies?region=x&endpoint=http://minio.example",
        "s3://copies?region=x&endpoint=http://127.0.0.1.evil.example", "s3://copies?region=x&endpoint=https://",
        "s3://copies?region=x&endpoint=https://u:hunter2@minio.example", "s3://copies?region=x&endpoint=https://h/path",
        "s3://copies?region=x&endpoint=https://h:0", "s3://copies?region=x&endpoint=file:///etc",
    ]) func `another form is refused with one line without secrets`(text: String) throws {
        let error = #expect(throws: CopyTargetAddressError.self) { try CopyTargetAddress(text) }
        let line = try #require(error).description
        #expect(!line.isEmpty && !line.contains("\n") && !line.contains("hunter2"))
    }

    @Test(arguments: [
        ("a", true), ("tokens/0001.part", true), ("a-b_c.d", true), (String(repeating: "a", count: 200), true),
        (String(repeating: "a", count: 201), false), ("", false), ("/a", false), ("a/", false), ("a//b", false),
        ("..", false), ("a/../b", false), ("./a", false), ("A", false), ("a b", false), ("ä", false), ("a~part", false),
        ("a\0", false), ("a\"", false), ("a\n", false), (".latchkey-copy", true),
    ]) func `a name has harmless characters and parts`(name: String, isName: Bool) {
        #expect(CopyTargetFile.isName(name) == isName)
    }
}

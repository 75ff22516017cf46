import Foundation
import Testing

@testable import PostgreSQL

/// The addresses that are read, and those that production refuses.
@Suite struct DatabaseURLTests {
    @Test func `an address has hosts, a database, a user and options`() throws {
        let url = try DatabaseURL(
            "postgres://us%40er:p%3Aw@a.example:6000,[::1],b/db?sslmode=verify-full&sslrootcert=%2Fca.pem")
        #expect(url.user == "us@er" && url.password == "p:w" && url.database == "db")
        #expect(url.hosts.map(\.name) == ["a.example", "::1", "b"] && url.hosts.map(\.port) == [6000, 5432, 5432])
        #expect(url.options == ["sslmode": "verify-full", "sslrootcert": "/ca.pem"])
    }

    @Test(arguments: [
        ("a%20b", "My%20db-%25%C3%A9", nil), ("a\u{1}", "db", "has no valid user: at most 63 bytes"),
        ("u", "d%0Ab", "has no valid database: at most 63 bytes"),
        (String(repeating: "u", count: 63), String(repeating: "d", count: 63), nil),
        (String(repeating: "u", count: 64), "db", "has no valid user"),
        ("u", String(repeating: "%C3%A9", count: 32), "has no valid database"),
    ])
    func `a name is one that PostgreSQL keeps whole`(_ user: String, _ database: String, _ refusal: String?) throws {
        let text = "postgres://\(user)@h/\(database)"
        guard let refusal else {
            let url = try DatabaseURL(text)
            #expect(url.user == user.removingPercentEncoding && url.database == database.removingPercentEncoding)
            return
        }
        #expect { try DatabaseURL(text) } throws: { "\($0)".hasPrefix(refusal) }
    }

    @Test func `an IPv6 address is shown as it is written in a URL`() throws {
        #expect(try DatabaseURL("postgres://u@[::1]:6000,h/db").place == "[::1]:6000,h:5432/db")
    }

    @Test(arguments: [
        ("postgres://u@/db?host=/run/postgresql", 5432), ("postgresql://u@%2Frun%2Fpostgresql/db", 5432),
        ("postgres://u@/db?host=/run/postgresql&port=5433", 5433),
        ("postgres://u@/db?port=5433&host=/run/postgresql", 5433),
        ("postgres://u@%2Frun%2Fpostgresql:5433/db", 5433), ("postgres://u@:5433/db?host=/run/postgresql", 5433),
        ("postgres:///db?user=u&host=%2Frun%2Fpostgresql&port=5433", 5433),
        ("postgres:///?dbname=db&user=u&host=/run/postgresql", 5432),
    ])
    func `a Unix socket is a host`(_ text: String, _ port: Int) throws {
        let url = try DatabaseURL(text)
        #expect(url.hosts.map(\.name) == ["/run/postgresql"] && url.hosts.map(\.port) == [port] && url.isLocal)
        #expect(url.place == (port == 5432 ? "/run/postgresql/db" : "/run/postgresql:\(port)/db"))
        #expect(url.user == "u" && url.database == "db")
        try url.requireProduction()
    }

    @Test(arguments: [
        ("postgres://u@a,b/db?port=6000", ["a:6000", "b:6000"]),
        ("postgres://u@a,b/db?port=6000,6001", ["a:6000", "b:6001"]),
        ("postgres://u@/db?host=a,b&port=6000,6001", ["a:6000", "b:6001"]), ("postgres://u@/db?host=::1", ["::1:5432"]),
        ("postgres://u@/db?host=/run/a,/run/b&port=5432,5433", ["/run/a:5432", "/run/b:5433"]),
        ("postgres://a/db?user=u&password=p", ["a:5432"]),
    ])
    func `hosts and ports may follow the question mark`(_ text: String, _ hosts: [String]) throws {
        #expect(try DatabaseURL(text).hosts.map { "\($0.name):\($0.port)" } == hosts)
    }

    @Test(arguments: [
        // Neon, with and without its pooler; Google Cloud; Aiven; Supabase; Heroku; Azure; DigitalOcean.
        "postgresql://u@ep-cool-1.eu-central-1.aws.neon.tech/db?sslmode=require&channel_binding=require",
        "postgresql://u@ep-cool-1-pooler.eu.neon.tech/db?sslmode=verify-full&sslrootcert=system&channel_binding=prefer",
        "postgresql://u@pg.neon.tech/db?options=endpoint%3Dep-cool-1&sslmode=require&connect_timeout=10",
        "postgresql://u@pg.neon.tech/db?options=project%3Dcool&sslnegotiation=direct&sslmode=require",
        "postgresql://u@/db?host=/cloudsql/project:region:instance",
        "postgres://u@h:5432/db?sslmode=require&gssencmode=disable",
        "postgresql://u@h:6543/db?options=reference%3Dabc&application_name=my%20app",
        "postgres://u@a,b/db?target_session_attrs=read-write&load_balance_hosts=disable",
        "postgres://u@a,b/db?target_session_attrs=primary&keepalives=1&keepalives_idle=10&keepalives_interval=5&keepalives_count=3",
        "postgres://u@a/db?tcp_user_timeout=10000&fallback_application_name=x&client_encoding=UTF8&gssencmode=prefer",
        "postgres://u@a/db?sslcompression=0&sslsni=1&ssl_min_protocol_version=TLSv1.2&sslcrl=/crl.pem&requirepeer=postgres",
    ])
    func `the addresses that providers print are accepted`(_ text: String) throws { _ = try DatabaseURL(text) }

    @Test(arguments: [
        ("options=-c%20synchronous_commit%3Doff", "has an invalid options: endpoint=… or project=… or reference=…"),
        ("options=endpoint%3Da%20-c%20fsync%3Doff", "has an invalid options"),
        ("options=--synchronous_commit%3Doff", "has an invalid options"),
        ("target_session_attrs=prefer-standby", "has an invalid target_session_attrs: one of any, read-write, primary"),
        ("target_session_attrs=read-only", "has an invalid target_session_attrs"),
        ("gssencmode=require", "has an invalid gssencmode"),
        ("client_encoding=LATIN1", "has an invalid client_encoding"),
        ("ssl_min_protocol_version=TLSv1", "has an invalid ssl_min_protocol_version"),
        ("channel_binding=yes", "has an invalid channel_binding: one of disable, prefer, require"),
        ("connect_timeout=soon", "has an invalid connect_timeout: a number of seconds"),
        ("keepalives_idle=-1", "has an invalid keepalives_idle"),
        ("application_name=%C5%81", "has an invalid application_name"),
        ("passfile=/p", "has the option passfile: the password is a secret of its own"),
        ("service=s", "has the option service"),
        ("hostaddr=10.0.0.1", "has the option hostaddr"), ("require_auth=none", "has the option require_auth"),
        ("sslpassword=p", "has the option sslpassword"), ("replication=database", "has the option replication"),
        ("sslmode=require&sslrootcert=system", "has sslrootcert=system, with which sslmode has to be verify-full"),
        ("pgbouncer=true", "has an unknown option \"pgbouncer\"; known are application_name"),
        ("host=b", "has a host both before and after"), ("user=b", "has user both before and after"),
        ("dbname=b", "has dbname both before and after"),
    ])
    func `what would break a guarantee is refused in one line`(_ options: String, _ line: String) {
        #expect { try DatabaseURL("postgres://u@h/db?\(options)") } throws: {
            "\($0)".hasPrefix(line) && !"\($0)".contains("\n")
        }
    }

    @Test(arguments: [
        ("", 2_000), ("?connect_timeout=10", 2_000), ("?connect_timeout=1", 1_000), ("?connect_timeout=0", 2_000),
        ("?connect_timeout=-1", 2_000),
    ])
    func `the shorter of two times to connect counts`(_ options: String, _ milliseconds: Int) throws {
        #expect(try DatabaseURL("postgres://u@h/db\(options)").connectMax == .milliseconds(milliseconds))
    }

    @Test func `libpq gets what the address says, and ours where a guarantee rests on it`() throws {
        let url = try DatabaseURL(
            "postgres://u@a,b:6000/db?channel_binding=require&application_name=mine&keepalives_idle=7&connect_timeout=9"
                + "&target_session_attrs=any&client_encoding=utf8&options=endpoint%3De&sslmode=require&gssencmode=prefer"
        )
        let parameters = url.parameters(
            of: try #require(url.hosts.last), at: "10.0.0.1", applicationName: "ours", password: "p",
            isProduction: false)
        #expect(
            Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) }) == [
                "host": "b", "hostaddr": "10.0.0.1", "port": "6000", "dbname": "db", "user": "u", "password": "p",
                "sslmode": "require", "channel_binding": "require", "application_name": "mine", "keepalives_idle": "7",
                "target_session_attrs": "read-write", "client_encoding": "UTF8", "options": "endpoint=e",
                "gssencmode": "disable",
            ])
    }

    @Test(arguments: [
        "mysql://u@h/db", "postgres://u@h", "postgres://u@h/", "postgres://h/db", "postgres://@h/db",
        "postgres://u@/db",
        "postgres://u@h:0/db", "postgres://u@h:65536/db", "postgres://u@h:x/db", "postgres://u@h,/db",
        "postgres://u@[::1/db",
        "postgres://u@h/db?sslmode=on", "postgres://u@h:1/db?port=2", "postgres://u@a,b/db?port=1,2,3",
        "postgres://u@/db?host=/a&port=x", "postgres://u@/db?host=/a&port=0", "postgres://u@:1/db?host=/a&port=2",
        "postgres://u@/db?host=/a,", "postgres://u@h/db?port=+5", "postgres://h/db?password=p", "postgres://u@h/db?=x",
        "postgres://u@h/db?sslmode",
        "postgres://u@h/db?host=/a",
        "postgres://u@h/db?sslmode=require&sslmode=disable", "postgres://u@h/d%00b", "postgres://u@h/d%zzb",
        "postgres://u@h h/db",
        "postgres://u@a,b,c,d,e,f,g,h,i/db", "",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(throws: DatabaseURL.Problem.self) { try DatabaseURL(text) }
    }

    @Test func `a refusal does not contain the password`() {
        #expect { try DatabaseURL("postgres://u:hunter2@h:99999/db") } throws: { !"\($0)".contains("hunter2") }
    }

    @Test(arguments: [
        ("postgres://u@h/db", true), ("postgres://u@h/db?sslmode=verify-full", true),
        ("postgres://u@h/db?sslmode=verify-ca&sslrootcert=/ca.pem", true),
        ("postgres://u@h/db?sslmode=verify-ca", false),
        ("postgres://u@h/db?sslmode=require", false), ("postgres://u:p@h/db", false),
        ("postgres://u@h,%2Frun/db?sslmode=disable", false),
    ])
    func `production demands a checked server and no password`(_ text: String, _ isAllowed: Bool) throws {
        let url = try DatabaseURL(text)
        if isAllowed {
            try url.requireProduction()
        } else {
            #expect(throws: DatabaseURL.Problem.self) { try url.requireProduction() }
        }
    }

    @Test func `a certificate is checked against the system's authorities unless others are named`() throws {
        func root(_ text: String, isProduction: Bool = true) throws -> String? {
            let url = try DatabaseURL(text)
            return url.parameters(of: url.hosts[0], applicationName: "a", password: nil, isProduction: isProduction)
                .first { $0.name == "sslrootcert" }?.value
        }
        #expect(try root("postgres://u@h/db") == "/etc/ssl/certs/ca-certificates.crt")
        #expect(try root("postgres://u@h/db?sslrootcert=/ca.pem") == "/ca.pem")
        #expect(try root("postgres://u@h/db?sslrootcert=system") == "/etc/ssl/certs/ca-certificates.crt")
        #expect(try DatabaseURL("postgres://u@h/db?sslrootcert=system").sslMode(isProduction: false) == "verify-full")
        #expect(try root("postgres://u@h/db?sslmode=prefer", isProduction: false) == nil)
        #expect(try root("postgres://u@h/db?sslmode=require&sslrootcert=/ca.pem", isProduction: false) == "/ca.pem")
    }
}

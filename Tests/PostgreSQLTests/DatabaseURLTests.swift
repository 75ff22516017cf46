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

    @Test(arguments: ["postgres://u@/db?host=/run/postgresql", "postgresql://u@%2Frun%2Fpostgresql/db"])
    func `a Unix socket is a host`(_ text: String) throws {
        let url = try DatabaseURL(text)
        #expect(url.hosts.map(\.name) == ["/run/postgresql"] && url.isLocal)
        try url.requireProduction()
    }

    @Test(arguments: [
        "mysql://u@h/db", "postgres://u@h", "postgres://u@h/", "postgres://h/db", "postgres://@h/db",
        "postgres://u@/db",
        "postgres://u@h:0/db", "postgres://u@h:65536/db", "postgres://u@h:x/db", "postgres://u@h,/db",
        "postgres://u@[::1/db",
        "postgres://u@h/db?sslmode=on", "postgres://u@h/db?options=-c", "postgres://u@h/db?sslmode",
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
        func root(_ text: String) throws -> String? {
            try DatabaseURL(text).parameters(applicationName: "a", password: nil, isProduction: true)
                .first { $0.name == "sslrootcert" }?.value
        }
        #expect(try root("postgres://u@h/db") == "/etc/ssl/certs/ca-certificates.crt")
        #expect(try root("postgres://u@h/db?sslrootcert=/ca.pem") == "/ca.pem")
    }
}

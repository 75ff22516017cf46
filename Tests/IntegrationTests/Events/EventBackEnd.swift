import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// An app's back end as a process of its own, which keeps a table of users and sessions by the events that it receives.
struct EventBackEnd: Sendable {
    static let secret = "v1,whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    let port: Int
    private let folder: String

    var url: String { "http://127.0.0.1:\(port)/events" }

    init() async throws {
        port = try await FreePort.find()
        folder =
            FileManager.default.temporaryDirectory.path(percentEncoded: false) + "events-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.program.write(toFile: folder + "/receiver.py", atomically: true, encoding: .utf8)
    }

    func remove() throws { try FileManager.default.removeItem(atPath: folder) }

    /// Starts the process, which stays until it is killed.
    func start() async throws {
        let started = try await Shell.run(
            "setsid python3 receiver.py \(port) '\(Self.secret)' >>log 2>&1 </dev/null & echo $! >pid", in: folder)
        try #require(started.isSuccess, "\(started.output)")
    }

    /// Kills the process, and waits until it is gone.
    func kill() async throws {
        _ = try await Shell.run(
            "kill -9 $(cat pid); while kill -0 $(cat pid) 2>/dev/null; do sleep 0.01; done", in: folder)
    }

    /// Lets it answer 410 from now on, or no more.
    func setGone(_ isGone: Bool) throws {
        let file = folder + "/gone"
        guard isGone else { return try FileManager.default.removeItem(atPath: file) }
        try "".write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Returns its table: a line for each user and each revoked session, sorted.
    func table() async throws -> [String] {
        try await Shell.run("python3 receiver.py table", in: folder).output.split(separator: "\n").map(String.init)
    }

    /// The lines of the process, such as one for a wrong signature.
    func log() throws -> String { try String(contentsOfFile: folder + "/log", encoding: .utf8) }

    private static let program = """
        import base64, hashlib, hmac, http.server, json, os, sqlite3, sys, time

        def opened():
            table = sqlite3.connect("table.sqlite", timeout=30)
            table.execute("PRAGMA journal_mode=WAL")
            table.execute("CREATE TABLE IF NOT EXISTS newest (source, user, sequence, PRIMARY KEY (source, user))")
            table.execute("CREATE TABLE IF NOT EXISTS users (id PRIMARY KEY, role, name, active)")
            table.execute("CREATE TABLE IF NOT EXISTS sessions (id PRIMARY KEY)")
            table.execute("CREATE TABLE IF NOT EXISTS ids (id PRIMARY KEY)")
            table.commit()
            return table

        if sys.argv[1] == "table":
            table = opened()
            lines = [f"{id} {role} {name} {active}" for id, role, name, active in table.execute("SELECT * FROM users")]
            lines += [f"revoked {id}" for id, in table.execute("SELECT id FROM sessions")]
            print("\\n".join(sorted(lines)))
            sys.exit()

        secret = base64.b64decode(sys.argv[2].removeprefix("v1,whsec_"))

        def apply(table, event):
            data, kind = event["data"], event["type"]
            row = table.execute("SELECT sequence FROM newest WHERE source = ? AND user = ?", (data["source"], data["userId"])).fetchone()
            if row and data["sequence"] <= row[0]:
                return
            if kind == "session.revoked":
                table.execute("INSERT OR REPLACE INTO sessions VALUES (?)", (data["sessionId"],))
            elif kind == "user.deleted":
                table.execute("DELETE FROM users WHERE id = ?", (data["userId"],))
            else:
                table.execute("INSERT OR IGNORE INTO users VALUES (?, NULL, NULL, 1)", (data["userId"],))
                if "user" in data:
                    member = data["user"]
                    table.execute("UPDATE users SET role = ?, name = ? WHERE id = ?", (member["role"], member["name"], data["userId"]))
                if kind in ("user.deactivated", "user.reactivated"):
                    table.execute("UPDATE users SET active = ? WHERE id = ?", (int(kind == "user.reactivated"), data["userId"]))
            table.execute("INSERT OR REPLACE INTO newest VALUES (?, ?, ?)", (data["source"], data["userId"], data["sequence"]))

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                id, sent_at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
                made = base64.b64encode(hmac.digest(secret, f"{id}.{sent_at}.".encode() + body, hashlib.sha256)).decode()
                if f"v1,{made}" not in self.headers["webhook-signature"].split() or abs(time.time() - int(sent_at)) > 300:
                    print("unsigned", id, flush=True)
                    return self.respond(401)
                if os.path.exists("gone"):
                    return self.respond(410)
                table = opened()
                with table:
                    table.execute("BEGIN IMMEDIATE")
                    table.execute("INSERT OR IGNORE INTO ids VALUES (?)", (id,))
                    apply(table, json.loads(body))
                table.close()
                self.respond(204)

            def respond(self, status):
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        http.server.ThreadingHTTPServer.allow_reuse_address = True
        http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
        """
}

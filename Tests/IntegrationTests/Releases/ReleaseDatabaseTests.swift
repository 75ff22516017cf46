import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// The databases of each release serve with this build: every user stays signed in, and nothing is lost.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ReleaseDatabaseTests {
        private typealias Person = ReleaseFolder.Person

        /// How old the databases are in the test that writes its own.
        private static let ageSeconds = 400 * 86_400

        @Test(.onFiles, arguments: try ReleaseFolder.released())
        func `the databases of a release serve with this build`(release: ReleaseFolder) async throws {
            guard !ReleaseFolder.isWritten else { return }
            try await expectSameLife(of: release)
        }

        @Test(.onFiles, .enabled(if: !ReleaseFolder.isWritten))
        func `databases that this build has written serve after more than a year`() async throws {
            try await withScratchFolder { folder in
                let own = ReleaseFolder(path: folder + "/own")
                try await write(own, ageSeconds: Self.ageSeconds)
                try await expectSameLife(of: own)
            }
        }

        @Test(.enabled(if: ReleaseFolder.isWritten))
        func `the databases of this release are written`() async throws {
            try await write(.ofThisRelease, ageSeconds: 0)
            try await expectSameLife(of: .ofThisRelease)
        }

        // MARK: - Writing

        private func write(_ release: ReleaseFolder, ageSeconds: Int) async throws {
            try release.begin()
            let now = Int(Date().timeIntervalSince1970) - ageSeconds
            let (ofFiles, ofServer) = try await atTime(now) { binaries in
                (try await lifeOnFiles(release, binaries), try await lifeOnServer(release, binaries))
            }
            // The clocks went on meanwhile, and no token may be of the future.
            let end = Int(Date().timeIntervalSince1970) - ageSeconds
            try release.write(.init(writtenAt: end + 1, ofFiles: ofFiles, ofServer: ofServer))
        }

        private func lifeOnFiles(_ release: ReleaseFolder, _ binaries: String) async throws -> [Person] {
            try await withScratchFolder { folder in
                let data = folder + "/data"
                let people = try await LatchkeyStack.run(
                    name: "ReleaseDatabaseTests-files",
                    environment: ["LATCHKEY_DATA_DIR": data, "LATCHKEY_POLICY": release.policy], binaries: binaries
                ) { try await live($0) }
                try await release.pack(data)
                return people
            }
        }

        private func lifeOnServer(_ release: ReleaseFolder, _ binaries: String) async throws -> [Person] {
            try await withPostgreSQLServer(authentication: "scram-sha-256") { server in
                let database = try await DatabaseOfStack(server)
                let people = try await serve(release, on: database, binaries) { try await live($0) }
                try await database.dump(to: release.dump)
                return people
            }
        }

        /// Lets two users sign in, one of them refresh, and a third sign out.
        private func live(_ stack: LatchkeyStack) async throws -> [Person] {
            let phone = LatchkeyStack.freshPhone()
            let byPhone = try await stack.signIn(phone: phone, name: "Ann")
            let tokens = try await refreshed(byPhone.tokens.refreshToken, stack)
            let mail = try await stack.askForMail()
            let byMail: SignInReply = try await stack.gateway.post("/auth/magic-link/verify", encoding: mail.byCode)
                .decoded()
            let out = try await stack.signIn()
            let left = try await stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: out.tokens.refreshToken))
            #expect([200, 204].contains(left.status))
            return [
                Person(
                    id: byPhone.user.id, phone: phone, email: nil, accessToken: tokens.accessToken,
                    refreshToken: tokens.refreshToken),
                Person(
                    id: byMail.user.id, phone: nil, email: mail.address, accessToken: byMail.tokens.accessToken,
                    refreshToken: byMail.tokens.refreshToken),
            ]
        }

        // MARK: - Serving

        /// Serves both databases at the time when they were written, since sessions expire.
        private func expectSameLife(of release: ReleaseFolder) async throws {
            let record = try release.record()
            try await atTime(record.writtenAt) { binaries in
                let columns = try await LatchkeyStack.run(name: "ReleaseDatabaseTests-columns", binaries: binaries) {
                    try await Self.columns(of: $0)
                }
                try await LatchkeyStack.run(
                    name: "ReleaseDatabaseTests-files-again", environment: ["LATCHKEY_POLICY": release.policy],
                    binaries: binaries, prepare: { try release.unpack("", to: $0) }
                ) { stack in
                    try await expectSame(record.ofFiles, stack)
                    try Self.expectSame(try await Self.columns(of: stack), asNew: columns)
                    for file in ["tokens", "users"] {
                        let path = "\(stack.dataDirectory)/\(file).sqlite"
                        let audit = try await Shell.run(
                            "'\(LatchkeyStack.binaries)/latchkeyctl' audit verify '\(path)'", in: "/")
                        #expect(audit.isSuccess && audit.output.hasPrefix("ok "), "\(audit.output)")
                    }
                }
                try await expectSameOnServer(release, record.ofServer, binaries)
            }
        }

        private func expectSameOnServer(_ release: ReleaseFolder, _ people: [Person], _ binaries: String) async throws {
            try await withPostgreSQLServer(authentication: "scram-sha-256") { server in
                let new = try await DatabaseOfStack(server)
                let database = try await new.restored(from: release.dump)
                let migrated = try await database.migrate()
                try #require(migrated.isSuccess, "\(migrated.output)")
                try Self.expectSame(try await database.columns(), asNew: try await new.columns())
                try await serve(release, on: database, binaries) { try await expectSame(people, $0) }
                let audit = try await database.control("audit verify")
                #expect(audit.isSuccess && audit.output.contains("latchkey_user: ok "), "\(audit.output)")
            }
        }

        private func serve<Value: Sendable>(
            _ release: ReleaseFolder, on database: DatabaseOfStack, _ binaries: String,
            _ body: (LatchkeyStack) async throws -> Value
        ) async throws -> Value {
            try await LatchkeyStack.run(
                name: "ReleaseDatabaseTests-server",
                environment: database.environment.merging(["LATCHKEY_POLICY": release.policy]) { $1 },
                secrets: DatabaseOfStack.secrets, binaries: binaries,
                prepare: { try release.unpack("secrets", to: $0) },
                body)
        }

        private func expectSame(_ people: [Person], _ stack: LatchkeyStack) async throws {
            for person in people {
                #expect(try await stack.gateway.get("/api/hello", bearer: person.accessToken).status == 200)
                let tokens = try await refreshed(person.refreshToken, stack)
                let me = try await stack.gateway.get("/users/me", bearer: tokens.accessToken)
                #expect(me.status == 200 && me.text.contains(person.id), "\(me.text)")
                #expect(me.text.contains(person.phone ?? person.email ?? "neither"), "\(me.text)")
                if let phone = person.phone {
                    let again = try await stack.signIn(phone: phone)
                    #expect(again.user.id == person.id && !again.isNewUser && again.user.name == "Ann")
                }
            }
        }

        /// Returns the columns of a deployment's files, each with its table and type.
        private static func columns(of stack: LatchkeyStack) async throws -> Set<String> {
            var columns: Set<String> = []
            for file in ["tokens", "users"] {
                let rows = try await stack.sql(
                    file,
                    """
                    SELECT t.name, c.name, c.type, c."notnull" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
                    WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*'
                    """)
                columns.formUnion(rows.map { "\(file)|\($0)" })
            }
            return columns
        }

        /// Checks that a release's database has the columns that a new one has. A statement that no step of this test runs would
        /// fail without one.
        private static func expectSame(_ columns: Set<String>, asNew new: Set<String>) throws {
            try #require(!new.isEmpty)
            #expect(columns.symmetricDifference(new) == [])
        }

        private func refreshed(_ token: String, _ stack: LatchkeyStack) async throws -> TokenReply {
            let answer = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/refresh", answer) }
            return try answer.decoded()
        }

        /// Runs `body` with programs whose clocks show a time.
        ///
        /// - Parameter time: Unix time in seconds.
        private func atTime<Value: Sendable>(
            _ time: Int, _ body: (_ binaries: String) async throws -> Value
        ) async throws -> Value {
            let clocks = try await StackClocks()
            let value: Value
            do {
                try await clocks.set(StackClocks.services, to: time - Int(Date().timeIntervalSince1970))
                value = try await body(clocks.binaries)
            } catch {
                try clocks.remove()
                throw error
            }
            try clocks.remove()
            return value
        }
    }
}

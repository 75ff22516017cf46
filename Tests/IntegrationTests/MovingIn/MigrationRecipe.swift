import AuthAPI
import Foundation
import StrictJSON
import TestSupport
import Testing

/// A recipe of `deploy/docs/run/migrate.md`, with another system's tables or export and what has to come of them.
struct MigrationRecipe: Sendable, CustomStringConvertible {
    /// Somebody who is moved in.
    struct Person: Sendable {
        let legacyID: String
        let address: String
        let password: String
        /// The status of a login's response.
        var status = 200
    }

    /// The system's name in the heading.
    let system: String
    /// Makes the export or database, in the folder in which the recipe runs; `$samples` has the files.
    let preparation: String
    /// The prefix of the recipe's commands.
    var prefix = ""
    let added: Int
    /// Phone numbers of its users that are not verified.
    var unconfirmed: [String] = []
    /// The subjects of its users at providers.
    var subjects: [String] = []
    let people: [Person]

    var description: String { system }

    private static let samples = LatchkeyStack.root + "Tests/Compat/moving-in"
    private static let password = "correct horse battery"

    /// The commands below the heading, as they are printed.
    private func script() throws -> String {
        let page = try String(contentsOfFile: LatchkeyStack.root + "deploy/docs/run/migrate.md", encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## From ").first { $0.hasPrefix(system + "\n") })
        let fenced = try #require(section.components(separatedBy: "```sh compiled\n").dropFirst().first)
        return try #require(fenced.components(separatedBy: "```").first)
    }

    /// Runs it against a stack, whose latchkeyctl is the one that it calls.
    func run(on stack: LatchkeyStack) async throws -> Shell.Outcome {
        let folder = stack.dataDirectory + "/recipe-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        try script().write(toFile: folder + "/recipe", atomically: true, encoding: .utf8)
        return try await Shell.run(
            """
            set -euo pipefail
            printf '#!/bin/bash\\nexec \(LatchkeyStack.root)deploy/ctl "$@"\\n' > bin/latchkeyctl
            chmod +x bin/latchkeyctl
            samples='\(Self.samples)'
            \(preparation)
            PATH=$PWD/bin:$PATH \(prefix.isEmpty ? "" : "'\(Self.samples)'/\(prefix)") bash -euo pipefail recipe
            """, in: folder, environment: ["LATCHKEY_DATA_DIR": stack.dataDirectory])
    }

    static let all = [
        MigrationRecipe(
            system: "Firebase",
            preparation: """
                cp "$samples/firebase.json" users.json
                cp "$samples/firebase-parameters.txt" parameters.txt
                """, added: 5,
            people: [
                Person(
                    legacyID: "3EsrbiSMhEUqFu0FMZYcJ1jkTYu2", address: "ann@firebase.example.com",
                    password: "user1password"),
                Person(legacyID: "", address: "new@firebase.example.com", password: "user1password", status: 401),
                Person(legacyID: "", address: "off@firebase.example.com", password: "user1password", status: 403),
            ]),
        MigrationRecipe(
            system: "Supabase", preparation: "", prefix: "with-postgres \"$samples/supabase.sql\"", added: 8,
            unconfirmed: ["+14155550151", "+14155550152"], subjects: ["114155552671", "001234.abcdef.5678"],
            people: [
                Person(
                    legacyID: "5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e01", address: "ann@supabase.example.com",
                    password: "nine supabase walks"),
                Person(
                    legacyID: "5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e02", address: "firebase@supabase.example.com",
                    password: password),
                Person(
                    legacyID: "5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e03", address: "argon@supabase.example.com",
                    password: password),
                Person(
                    legacyID: "", address: "unconfirmed@supabase.example.com", password: "nine supabase walks",
                    status: 401),
                Person(
                    legacyID: "", address: "banned@supabase.example.com", password: "nine supabase walks",
                    status: 403),
            ]),
        MigrationRecipe(
            system: "Auth0", preparation: "cp \"$samples/auth0.jsonl\" export.json", added: 3,
            people: [
                Person(
                    legacyID: "auth0|60425dc43519d90068f82973", address: "ann@auth0.example.com", password: password),
                Person(legacyID: "auth0|euclid", address: "euclid@auth0.example.com", password: password),
                Person(legacyID: "", address: "new@auth0.example.com", password: password, status: 401),
            ]),
        MigrationRecipe(
            system: "ASP.NET Core Identity", preparation: "sqlite3 app.db < \"$samples/aspnet.sql\"", added: 5,
            unconfirmed: ["+14155550161", "+14155550162"],
            people: [
                Person(
                    legacyID: "8E445865-A24D-4543-A6C6-9443D048CDB9", address: "ann@aspnet.example.com",
                    password: password),
                Person(
                    legacyID: "8e445865-a24d-4543-a6c6-9443d048cdb8", address: "old@aspnet.example.com",
                    password: password),
                Person(legacyID: "42", address: "number@aspnet.example.com", password: password),
                Person(legacyID: "", address: "off@aspnet.example.com", password: password, status: 403),
                Person(legacyID: "", address: "new@aspnet.example.com", password: password, status: 401),
            ]),
        MigrationRecipe(
            system: "Better Auth", preparation: "sqlite3 auth.db < \"$samples/better-auth.sql\"", added: 6,
            people: [
                Person(
                    legacyID: "GpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE", address: "ann@better.example.com",
                    password: password),
                Person(legacyID: "", address: "new@better.example.com", password: password, status: 401),
                Person(legacyID: "", address: "banned@better.example.com", password: password, status: 403),
                Person(legacyID: "", address: "later@better.example.com", password: password, status: 403),
                Person(
                    legacyID: "LpT0kYqdkbHVRr0CvvKCoiOVoWLfSxzE", address: "free@better.example.com",
                    password: password),
            ]),
    ]
}

extension Live.MovingInTests {
    @Test(arguments: MigrationRecipe.all)
    func `a recipe moves another system's users in, who sign in with their passwords`(
        _ recipe: MigrationRecipe
    ) async throws {
        let outcome = try await recipe.run(on: stack)
        #expect(outcome.output.contains("added \(recipe.added), known before 0, refused 0"), "\(outcome.output)")
        for person in recipe.people {
            let login = try await logIn(person.address, person.password)
            #expect(login.status == person.status, "\(person.address): \(login.text)")
            guard person.status == 200 else { continue }
            let token = try login.decoded(LoginReply.self).tokens.accessToken
            #expect(try TokenParts(token).claims["legacy_id"]?.stringValue == person.legacyID)
            let wrong = try await logIn(person.address, person.password + "!")
            #expect(wrong.status == 401, "\(person.address): \(wrong.text)")
        }
        for number in recipe.unconfirmed {
            let held = try await stack.sql("users", "SELECT count(*) FROM identities WHERE value = '\(number)'")
            #expect(held == ["0"], "\(number)")
        }
        for subject in recipe.subjects {
            let held = try await stack.sql("users", "SELECT count(*) FROM identities WHERE value LIKE '%\(subject)'")
            #expect(held == ["1"], "\(subject)")
        }
        let again = try await recipe.run(on: stack)
        #expect(again.output.contains("added 0, known before \(recipe.added), refused 0"), "\(again.output)")
    }

    @Test func `each recipe of the page is run`() throws {
        let page = try String(contentsOfFile: LatchkeyStack.root + "deploy/docs/run/migrate.md", encoding: .utf8)
        let headings = page.components(separatedBy: "\n## From ").dropFirst()
            .compactMap { $0.split(separator: "\n").first.map(String.init) }
        #expect(headings == MigrationRecipe.all.map(\.system))
    }
}

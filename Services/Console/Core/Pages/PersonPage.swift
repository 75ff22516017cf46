import AuthAPI

/// The page of one person: who they are, what happened to them, their sessions, and what can be done.
struct PersonPage: Sendable {
    /// The newest sessions that the page shows, so that it stays small.
    private static let sessionsMax = 30

    let person: Person
    /// `nil` if the service does not respond.
    let sessions: [SessionSummary]?
    let story: Story?
    let frame: PageFrame

    var body: HTML {
        """
        <section>\(facts)</section>
        <section><h2>\(frame.words(.sessions))</h2>\(sessions.map(list) ?? frame.missing(.sessions))</section>
        <section><h2>\(frame.words(.task))</h2>\(tasks)</section>
        <section><h2>\(frame.words(.history))</h2>\(story.map(tell) ?? frame.missing(.history))</section>
        """
    }

    private var facts: HTML {
        let words = frame.words
        let state: HTML =
            person.isActive
            ? "<span class=\"good\">\(words(.active))</span>" : "<span class=\"bad\">\(words(.deactivated))</span>"
        let number: HTML = person.phoneNumber.map { NumberPage.link($0) } ?? "–"
        let pending = (person.pending ?? []).compactMap(\.phoneNumber).map { words(.waiting, $0) }
        let notes =
            pending
            + [
                person.deletionDueAt.map { words(.deletionDue, Words.moment($0)) },
                person.isForReview == true ? words(.reviewer) : nil,
            ].compactMap(\.self)
        return """
            \(notes.map { "<p class=\"bad\">\($0)</p>" })\
            \(person.mergedInto.map { "<p>\(words(.merged)) \(frame.person($0))</p>" } ?? HTML.nothing)
            <dl>
            <dt>\(words(.name))</dt><dd><bdi>\(person.name ?? "–")</bdi></dd>
            <dt>\(words(.state))</dt><dd>\(state)</dd>
            <dt>\(words(.phone))</dt><dd>\(number)</dd>
            <dt>\(words(.email))</dt><dd><bdi>\(person.email ?? "–")</bdi></dd>
            <dt>\(words(.role))</dt><dd>\(person.role)</dd>
            <dt>\(words(.created))</dt><dd>\(words.time(person.createdAt))</dd>
            <dt>\(words(.lastSignIn))</dt><dd>\(person.lastSignInAt.map(words.time) ?? "–")</dd>
            <dt>ID</dt><dd>\(person.id)</dd>
            </dl>
            <p><a href="\(PageFrame.root)/audit\(AdminPath.query([("user", person.id)]))">\(words(.audit))</a> ·
            <a href="\(PageFrame.root)/person/\(AdminPath.segment(person.id))/export">\(words(.export))</a></p>
            """
    }

    private func list(_ sessions: [SessionSummary]) -> HTML {
        let words = frame.words
        let rows = sessions.prefix(Self.sessionsMax).map { session -> [HTML] in
            let end = button(.endSession, "<input type=\"hidden\" name=\"session\" value=\"\(session.id)\">")
            return [
                "<bdi>\(session.deviceName ?? "–")</bdi>", "\(session.address ?? "–")",
                words.time(session.lastUsedAt), end,
            ]
        }
        return """
            \(frame.table([.device, .network, .lastUse, .endOne], rows, empty: .empty))
            \(sessions.isEmpty ? HTML.nothing : "<p>\(words(.allCountries)): \(sessions.count)</p>\(button(.endSessions))")
            """
    }

    /// The tasks, each behind a line that opens without a script.
    private var tasks: HTML {
        let waits = (person.pending ?? []).contains { $0.kind == "phone" }
        let number: HTML = """
            <label for="number">\(frame.words(.newNumber))</label>\
            <input id="number" name="number" type="tel" required maxlength="32" autocomplete="off">
            """
        return [
            person.isActive ? task(.deactivate, .deactivateAdvice) : task(.activate, nil),
            waits ? task(.keepNumber, nil) : task(.replaceNumber, .replaceAdvice, number),
            person.deletionDueAt == nil ? task(.delete, .deleteAdvice) : task(.restore, nil),
        ].reduce(HTML.nothing) { "\($0)\($1)" }
    }

    private func task(_ act: AdminAct, _ advice: ConsoleText?, _ fields: HTML = .nothing) -> HTML {
        frame.task(act, of: person.id, advice, "\(version)\(fields)")
    }

    private var version: HTML {
        person.version.map { "<input type=\"hidden\" name=\"version\" value=\"\($0)\">" } ?? .nothing
    }

    private func button(_ act: AdminAct, _ fields: HTML = .nothing) -> HTML {
        frame.form(
            act.path(of: person.id), "\(version)\(fields)<button>\(frame.words(act.text))</button>")
    }

    private func tell(_ story: Story) -> HTML {
        let rows: [[HTML]] = story.story.map { [frame.words.time($0.at), "<bdi>\($0.sentence)</bdi>"] }
        let next = story.nextCursor.map { cursor -> HTML in
            let query = AdminPath.query([("cursor", cursor)])
            let path = "\(PageFrame.root)/person/\(AdminPath.segment(person.id))\(query)"
            return "<p><a href=\"\(path)\">\(frame.words(.more))</a></p>"
        }
        return "\(frame.table([.moment, .what], rows, empty: .emptyAudit))\(next ?? .nothing)"
    }
}

/// The people that a search has found.
struct FindPage: Sendable {
    let people: [Person]?
    let frame: PageFrame

    var body: HTML {
        guard let people else { return frame.missing(.find) }
        let words = frame.words
        let rows: [[HTML]] = people.map { person in
            [
                frame.person(person.id), "<bdi>\(person.name ?? "–")</bdi>", "\(person.phoneNumber ?? "–")",
                "<bdi>\(person.email ?? "–")</bdi>", "\(words(person.isActive ? .active : .deactivated))",
            ]
        }
        return "<section>\(frame.table([.person, .name, .phone, .email, .state], rows, empty: .emptyFind))</section>"
    }
}

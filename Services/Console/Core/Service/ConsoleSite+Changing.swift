import AuthAPI

extension ConsoleSite {
    /// Changes a person or a number. If the sign-in is too old, the task waits until the administrator has shown who they are.
    func carryOut(
        _ task: WaitingTask, _ visit: Visit, _ session: AdminSession
    ) async throws(APIFailure) -> ConsoleReply {
        do throws(APIFailure) {
            let answer = try await session.send(task.act.call(on: task.subject, task.form), for: visit.browser)
            await session.keep(answer, of: task)
            return .redirect(task.act.page(of: task.subject))
        } catch {
            switch error {
            case .needsProof:
                await session.keep(task)
                return try await sendProofCode(visit, session)
            case .changedMeanwhile: return try await explain(error, task, status: 412, visit, session)
            case .refused(let status, _, _): return try await explain(error, task, status: status, visit, session)
            default: throw error
            }
        }
    }

    /// Says why a task was refused, on the page of its person or number as they are now.
    private func explain(
        _ failure: APIFailure, _ task: WaitingTask, status: Int, _ visit: Visit, _ session: AdminSession
    ) async throws(APIFailure) -> ConsoleReply {
        let words = words(of: failure, visit)
        return task.act.isOfNumber
            ? try await number(task.subject, visit, session, notice: words, status: status)
            : try await person(task.subject, visit, session, notice: words, status: status)
    }

    // MARK: - The proof

    func proof(
        _ visit: Visit, _ session: AdminSession, notice: String? = nil, status: Int = 200
    ) async -> ConsoleReply {
        guard let task = await session.waiting else { return .redirect("") }
        let page = ProofPage(task: task, frame: frame(visit))
        return show(page.body, visit.words(.prove), problem: notice, status: status, visit)
    }

    func sendProofCode(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        let body = ReauthenticationCodeBody(locale: visit.browser.language.rawValue)
        do throws(APIFailure) {
            _ = try await session.send(.post("/auth/reauthenticate/request", body), for: visit.browser)
            return .redirect("/prove")
        } catch {
            guard case .refused(let status, _, _) = error else { throw error }
            return await proof(visit, session, notice: words(of: error, visit), status: status)
        }
    }

    func prove(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        // Another tab may have left another task: only what the page showed is done.
        guard let task = await session.waiting, task.id == visit.form["task"] else { return .redirect("/prove") }
        do throws(APIFailure) {
            try await session.prove(code: visit.form["code"] ?? "", for: task, visit.browser)
            return try await carryOut(task, visit, session)
        } catch {
            guard case .refused(let status, _, _) = error else { throw error }
            return await proof(visit, session, notice: words(of: error, visit), status: status)
        }
    }
}

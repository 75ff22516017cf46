import EdgeHTTP

/// Deletion of an account without the app.
extension NativeDialect {
    /// `GET /account/delete`
    @Sendable func showDeletion(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let deletionPage else { throw .notFound }
        return deletionPage.start(locales: AcceptedLanguages.tags(request.head))
    }

    /// `POST /account/delete`: sends the code, and on the second request checks it. Responds with a page, whatever the result.
    @Sendable func deleteByPage(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let deletionPage else { throw .notFound }
        let locales = AcceptedLanguages.tags(request.head)
        var form: DeletionPage.Form?
        do throws(Refusal) {
            guard FormBody.isForm(request.head) else { throw .invalidBody(.unfit) }
            let sent = try deletionPage.form(request.body)
            form = sent
            let call = ClientCall(request, isForm: true)
            guard let code = sent.code else {
                try await useCases.deleteByCode.request(sent.recipient, in: name, locales: locales, call)
                return deletionPage.sent(to: sent.recipient, locales: locales)
            }
            return deletionPage.done(
                try await useCases.deleteByCode.confirm(code, of: sent.recipient, call), locales: locales)
        } catch {
            return deletionPage.reply(to: error, form: form, locales: locales)
        }
    }
}

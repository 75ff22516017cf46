import HTTPTypes
import Hummingbird
import InternalAPI
import NIOCore
import ServiceCalls
import ServiceHTTP

/// The inbox over HTTP: senders deliver with an assertion, while people and tests read without one.
struct InboxRoutes: Sendable {
    let box: MessageBox
    let page: InboxPage
    /// Unix time in seconds.
    let clock: @Sendable () -> Int64

    /// Returns the router with both interfaces on one port.
    func router(verifier: AssertionVerifier) -> Router<ServiceRequestContext> {
        let senders = serviceRouter(verifier: verifier) { routes in
            routes.on(InboxOperations.deliver) { message, _ in
                box.receive(message, at: clock())
                return .answer(Done())
            }
        }.buildResponder()
        let router = Router(context: ServiceRequestContext.self)
        for (method, path) in [(HTTPRequest.Method.post, InboxOperations.deliver.path), (.get, ClockCheck.path)] {
            router.on(RouterPath(path), method: method) { request, context in
                try await senders.respond(to: request, context: context)
            }
        }
        addReaders(to: router.group().add(middleware: BrowserProtection()))
        return router
    }

    private func addReaders(to readers: RouterGroup<ServiceRequestContext>) {
        readers.get("/") { _, _ in
            text(page.html(box.messages(), version: box.version), "text/html; charset=utf-8")
        }
        readers.get("/messages") { request, _ in
            let version = box.version
            guard request.uri.queryParameters["version"].map(String.init) != version else {
                return Response(status: .noContent)
            }
            let words = request.uri.queryParameters["search"].map(String.init) ?? ""
            let list = page.list(box.messages(holding: words), version: version, isSearch: !words.isEmpty)
            return text(list, "text/html; charset=utf-8")
        }
        readers.get("/messages/:id/page") { _, context in
            guard let html = box.messages().first(where: { $0.id == context.parameters.get("id") })?.html else {
                return Response(status: .notFound)
            }
            var response = text(MailPage.html(html), "text/html; charset=utf-8")
            response.headers[.contentSecurityPolicy] = MailPage.contentSecurityPolicy
            return response
        }
        readers.get("/inbox.css") { _, _ in text(PageStyle.css, "text/css; charset=utf-8") }
        readers.get("/inbox.js") { _, _ in text(PageScript.javascript, "text/javascript; charset=utf-8") }
        readers.get("/api/messages") { request, _ in
            try jsonResponse(box.messages(to: request.uri.queryParameters["to"].map(String.init)))
        }
        readers.delete("/api/messages") { _, _ in
            box.removeAll()
            return Response(status: .noContent)
        }
    }

    private func text(_ text: String, _ contentType: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: contentType], body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

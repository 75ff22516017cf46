/// The page and its list of messages as mustache templates; `{{…}}` escapes for HTML.
enum PageTemplate {
    static let page = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Latchkey inbox</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/inbox.css">
        <script src="/inbox.js" defer></script>
        </head>
        <body>
        <main class="phone">
        <header class="bar">
        <h1>Messages</h1>
        <button type="button" id="clear">Clear</button>
        </header>
        <div id="messages" aria-live="polite">{{> messages}}</div>
        </main>
        <p id="status" role="status"></p>
        </body>
        </html>

        """

    static let messages = """
        <ol class="messages" data-version="{{version}}">
        {{#messages}}
        <li class="message" data-id="{{id}}" data-to="{{to}}">
        <p class="meta"><b>{{to}}</b> <span class="channel">{{channel}}</span> \
        <time datetime="{{time}}">{{time}}</time></p>
        <p class="bubble">{{#parts}}{{#code}}<button type="button" class="code" data-copy="{{code}}" \
        title="Copy the code">{{code}}</button>{{/code}}{{^code}}{{text}}{{/code}}{{/parts}}</p>
        {{#link}}<p><a href="{{link}}" rel="noreferrer">Open the link</a></p>{{/link}}
        </li>
        {{/messages}}
        {{^messages}}
        <li class="empty">No messages yet. Ask for a code, and it appears here.</li>
        {{/messages}}
        </ol>

        """
}

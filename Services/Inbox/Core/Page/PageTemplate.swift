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
        <p class="clock" aria-hidden="true"><time id="clock"></time><span id="live">Live</span></p>
        <div class="title"><h1>Messages</h1><button type="button" id="clear">Clear</button></div>
        <input type="search" id="search" placeholder="Search" aria-label="Search number or text" autocomplete="off" \
        spellcheck="false">
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
        <span class="face" aria-hidden="true">{{initial}}</span>
        <div class="content">
        <p class="meta"><b>{{to}}</b> <span class="channel">{{channel}}</span> \
        <time datetime="{{time}}">{{time}}</time></p>
        {{#subject}}<p class="subject">{{subject}}</p>
        {{/subject}}{{#page}}<iframe class="mail" sandbox="\(MailPage.sandbox)" src="{{page}}" \
        title="The mail"></iframe>
        {{/page}}{{#hasBubble}}<p class="bubble">{{#parts}}{{#code}}<button type="button" class="code" data-copy="{{code}}" \
        title="Copy the code">{{code}}</button>{{/code}}{{^code}}{{text}}{{/code}}{{/parts}}</p>
        {{/hasBubble}}{{#link}}<p class="link"><a href="{{link}}" target="_blank" rel="noreferrer">Open the link</a></p>{{/link}}
        </div>
        </li>
        {{/messages}}
        {{^messages}}
        {{#isSearch}}<li class="empty">Nothing found.</li>{{/isSearch}}
        {{^isSearch}}<li class="empty">No messages yet. Ask for a code, and it appears here.</li>{{/isSearch}}
        {{/messages}}
        </ol>

        """
}

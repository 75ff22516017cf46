/// The page's style sheet: a phone's message list, light and dark, on small screens without its frame.
enum PageStyle {
    static let css = """
        :root {
          color-scheme: light dark;
          --back: #e5e5ea; --screen: #fff; --bubble: #e9e9eb; --ink: #111; --quiet: #6c6c70; --accent: #0067d6;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #000; --screen: #1c1c1e; --bubble: #3a3a3c; --ink: #f2f2f7; --quiet: #a1a1a6; --accent: #5eb0ff;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; min-height: 100vh; background: var(--back); color: var(--ink);
          font: 16px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
        }
        .phone { max-width: 26rem; min-height: 100vh; margin: 0 auto; background: var(--screen); }
        @media (min-width: 32rem) {
          .phone {
            min-height: 44rem; margin: 2rem auto; border-radius: 2rem; overflow: hidden; box-shadow: 0 .5rem 2rem #0003;
          }
        }
        .bar {
          position: sticky; top: 0; display: flex; align-items: center; justify-content: space-between;
          padding: .75rem 1rem; background: var(--screen); border-bottom: 1px solid var(--bubble);
        }
        h1 { margin: 0; font-size: 1.25rem; }
        button { font: inherit; color: var(--accent); background: none; border: 0; padding: .25rem; cursor: pointer; }
        .messages { list-style: none; margin: 0; padding: 1rem; }
        .message { margin-bottom: 1.25rem; }
        .meta { margin: 0 0 .25rem .75rem; font-size: .8rem; color: var(--quiet); }
        .channel { text-transform: uppercase; }
        .bubble {
          display: inline-block; max-width: 85%; margin: 0; padding: .5rem .85rem; border-radius: 1.1rem;
          border-bottom-left-radius: .3rem; background: var(--bubble); white-space: pre-wrap; overflow-wrap: anywhere;
        }
        .code { padding: 0; font-weight: 600; letter-spacing: .05em; text-decoration: underline; }
        .empty { padding: 3rem 1rem; text-align: center; color: var(--quiet); }
        #status {
          position: fixed; bottom: 1rem; left: 50%; margin: 0; transform: translateX(-50%); padding: .4rem 1rem;
          border-radius: 1rem; background: var(--ink); color: var(--screen);
        }
        #status:empty { display: none; }

        """
}

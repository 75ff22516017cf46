/// The page's style sheet: a phone's message list, light and dark, on small screens without its frame.
enum PageStyle {
    static let css = """
        :root {
          color-scheme: light dark;
          --back: #e5e5ea; --screen: #fff; --bubble: #e9e9eb; --ink: #111; --quiet: #6c6c70; --accent: #0067d6;
          --face: #8e8e93;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #000; --screen: #1c1c1e; --bubble: #3a3a3c; --ink: #f2f2f7; --quiet: #a1a1a6; --accent: #5eb0ff;
            --face: #636366;
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
            height: calc(100vh - 4rem); min-height: 30rem; margin: 2rem auto; border: .6rem solid #111;
            border-radius: 3rem; overflow: hidden auto; box-shadow: 0 .5rem 2rem #0005; scrollbar-width: none;
          }
        }
        .bar {
          position: sticky; top: 0; z-index: 1; padding: .6rem 1.25rem .75rem; background: var(--screen);
          border-bottom: 1px solid var(--bubble);
        }
        .clock { display: flex; justify-content: space-between; margin: 0 0 .5rem; font-size: .8rem; font-weight: 600; }
        #live { color: var(--quiet); font-weight: 400; }
        .title { display: flex; align-items: baseline; justify-content: space-between; }
        h1 { margin: 0; font-size: 1.75rem; }
        #search {
          width: 100%; margin-top: .5rem; padding: .45rem .75rem; font: inherit; color: inherit; border: 0;
          border-radius: .7rem; background: var(--bubble);
        }
        button { font: inherit; color: var(--accent); background: none; border: 0; padding: .25rem; cursor: pointer; }
        .messages { list-style: none; margin: 0; padding: 1rem; }
        .message { display: flex; gap: .6rem; margin-bottom: 1.25rem; }
        .content { min-width: 0; flex: 1; }
        .face {
          flex: none; width: 2.4rem; height: 2.4rem; border-radius: 50%; background: var(--face); color: #fff;
          display: grid; place-items: center; font-weight: 600;
        }
        .new .bubble { animation: arrive .4s ease-out; }
        @keyframes arrive { from { transform: translateY(-.5rem) scale(.97); opacity: 0; } }
        @media (prefers-reduced-motion: reduce) { .new .bubble { animation: none; } }
        .meta { display: flex; gap: .4rem; margin: 0 0 .25rem .25rem; font-size: .8rem; color: var(--quiet); }
        .meta b { color: var(--ink); }
        .meta time { margin-left: auto; }
        .link { margin: .4rem 0 0 .25rem; }
        a { color: var(--accent); }
        .channel { text-transform: uppercase; }
        .bubble {
          display: inline-block; max-width: 85%; margin: 0; padding: .5rem .85rem; border-radius: 1.1rem;
          border-bottom-left-radius: .3rem; background: var(--bubble); white-space: pre-wrap; overflow-wrap: anywhere;
        }
        .subject { margin: 0 0 .4rem .25rem; font-weight: 600; }
        .mail {
          display: block; width: 100%; height: 24rem; margin-bottom: .4rem; border: 0; border-radius: 1.1rem; background: #fff;
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

/// The page's script. It requests new or matching messages each second, and copies a code when it is clicked.
///
/// The server escapes all text. The script puts the server's HTML into the page unchanged, and makes none of its own.
enum PageScript {
    static let javascript = """
        'use strict';
        const list = document.getElementById('messages');
        const status = document.getElementById('status');
        const search = document.getElementById('search');
        const live = document.getElementById('live');
        const clock = document.getElementById('clock');
        let clearing;
        let shown = '';

        function say(text) {
          status.textContent = text;
          clearTimeout(clearing);
          clearing = setTimeout(() => { status.textContent = ''; }, 1500);
        }

        function localTimes() {
          for (const time of list.querySelectorAll('time')) {
            time.textContent = shortTime(new Date(time.dateTime));
          }
        }

        function shortTime(date) { return date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }); }

        async function refresh() {
          const version = list.firstElementChild.dataset.version;
          const words = search.value.trim();
          const query = new URLSearchParams({ search: words });
          // Another search is another list, whatever has come in.
          if (words === shown) { query.set('version', version); }
          const response = await fetch('/messages?' + query, { cache: 'no-store' });
          // What was typed meanwhile has asked for a list of its own.
          if (response.status !== 200 || words !== search.value.trim()) { return; }
          const known = new Set([...list.querySelectorAll('.message')].map((message) => message.dataset.id));
          list.innerHTML = await response.text();
          localTimes();
          if (words === shown) {
            for (const message of list.querySelectorAll('.message')) {
              message.classList.toggle('new', !known.has(message.dataset.id));
            }
          }
          shown = words;
        }

        async function poll() {
          try {
            clock.textContent = shortTime(new Date());
            if (!document.hidden) { await refresh(); }
            live.textContent = 'Live';
          } catch {
            live.textContent = 'Offline';
          }
          setTimeout(poll, 1000);
        }

        async function copy(text) {
          if (navigator.clipboard) { return navigator.clipboard.writeText(text); }
          // Pages over plain http from another machine have no clipboard interface.
          const field = document.createElement('textarea');
          field.value = text;
          document.body.append(field);
          field.select();
          document.execCommand('copy');
          field.remove();
        }

        list.addEventListener('click', async (event) => {
          const code = event.target.closest('[data-copy]');
          if (!code) { return; }
          await copy(code.dataset.copy);
          say('Copied ' + code.dataset.copy);
        });
        search.addEventListener('input', () => refresh().catch(() => {}));
        document.getElementById('clear').addEventListener('click', async () => {
          await fetch('/api/messages', { method: 'DELETE' });
          await refresh();
        });
        localTimes();
        poll();

        """
}

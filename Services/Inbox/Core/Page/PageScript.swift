/// The page's script: asks each second for what is new, and copies a code when it is clicked.
///
/// The server escapes all text; the script puts its HTML into the page as it comes, and makes none of its own.
enum PageScript {
    static let javascript = """
        'use strict';
        const list = document.getElementById('messages');
        const status = document.getElementById('status');
        let clearing;

        function say(text) {
          status.textContent = text;
          clearTimeout(clearing);
          clearing = setTimeout(() => { status.textContent = ''; }, 1500);
        }

        function localTimes() {
          for (const time of list.querySelectorAll('time')) {
            time.textContent = new Date(time.dateTime).toLocaleTimeString();
          }
        }

        async function refresh() {
          const version = list.firstElementChild.dataset.version;
          const response = await fetch('/messages?version=' + encodeURIComponent(version), { cache: 'no-store' });
          if (response.status !== 200) { return; }
          list.innerHTML = await response.text();
          localTimes();
        }

        async function poll() {
          try {
            if (!document.hidden) { await refresh(); }
          } catch {
            say('The inbox does not answer');
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
        document.getElementById('clear').addEventListener('click', async () => {
          await fetch('/api/messages', { method: 'DELETE' });
          await refresh();
        });
        localTimes();
        poll();

        """
}

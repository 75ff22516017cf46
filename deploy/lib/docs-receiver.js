// Runs the receiver before it with the requests of docs-receiver-requests.py.
const applied = [];
function apply(event) { applied.push(event.type); }
for (const line of require('node:fs').readFileSync(0, 'utf8').trim().split('\n')) {
  const { headers, body } = JSON.parse(line);
  console.log(receive(headers, body));
}
for (const type of applied) console.log(type);

// Level 0: the rows of Tests/Clients/machine, which bind the machine in every language.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { step } from '../../../Shared/LatchkeyAuthTypeScript/core/machine/machine.js';
import type { MachineEvent, MachineState } from '../../../Shared/LatchkeyAuthTypeScript/core/machine/state.js';
import { actionWords, eventFrom, present, stateFrom, stateWords } from './words.js';

interface Row { name: string; before?: string; given: string; event: string; then: string[]; state: string }

const suite = process.env.LATCHKEY_SUITE as string;
// This library has every feature, so rows from before one do not apply.
const rows: Row[] = readdirSync(`${suite}/machine`).flatMap((name) => JSON.parse(readFileSync(`${suite}/machine/${name}`, 'utf8')))
  .filter((row: Row) => !row.before);

test('there are rows for every kind of event', () => {
  assert.ok(rows.length >= 150);
  assert.equal(new Set(rows.map((row) => row.event.split(' ')[0])).size, 22);
});

for (const row of rows) {
  test(row.name, () => {
    const [state, actions] = step(stateFrom(row.given), eventFrom(row.event), present);
    assert.deepEqual(actions.map(actionWords), row.then);
    assert.equal(stateWords(state), row.state);
  });
}

test('every event in every state keeps the invariants', () => {
  const states = [...new Set(rows.map((row) => row.given))].map(stateFrom);
  const events = [...new Set(rows.map((row) => row.event))].map(eventFrom);
  for (const state of states) {
    for (const event of events) {
      // A caller has one number, and asks once.
      const caller = 'caller' in event && event.is !== 'cancelled' ? event.caller : undefined;
      if (!state.waiters.some((waiter) => waiter.caller === caller)) check(state, event);
    }
  }
});

function check(state: MachineState, event: MachineEvent): void {
  const frozen = JSON.stringify(state);
  const [next, actions] = step(state, event, present);
  assert.equal(JSON.stringify(state), frozen, 'a state is a value');
  const waiting = next.waiters.map((waiter) => waiter.caller);
  const answered = actions.flatMap((action) => action.do === 'answer' ? [action.caller] : []);
  assert.equal(new Set(answered).size, answered.length, 'no caller is answered twice');
  assert.ok(!waiting.some((caller) => answered.includes(caller)));
  for (const { caller } of state.waiters) assert.ok([...waiting, ...answered].includes(caller), 'no caller is forgotten');
  if (next.phase.at !== 'signedIn') return;
  if (actions.some((action) => action.do === 'renew')) assert.equal(next.phase.saved, 'yes');
  if (state.phase.at !== 'signedIn') return;
  const [before, after] = [state.phase.record.version, next.phase.record.version];
  assert.ok(after.epoch > before.epoch || after.epoch === before.epoch && after.generation >= before.generation, 'no version falls');
}

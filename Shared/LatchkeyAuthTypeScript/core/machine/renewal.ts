import { compareVersions } from '../record/item.js';
import { renewed } from '../record/record.js';
import type { StoreVersion } from '../ports.js';
import { answerAll, become, emit, save, sessionOf, type Machine } from './change.js';
import { ended } from './ends.js';
import { idle, isOutdated, type EventOf, type SignedIn } from './state.js';
import { isSoon, postpone } from './tokens.js';

// The steps of a renewal once it has begun: send the request, believe the response.

/** The store holds what the machine knows: goes on with what the reading was for. */
export function confirmed(m: Machine, session: SignedIn): void {
  const { mode } = session;
  if (mode.is === 'looking') {
    become(m, session, { mode: { is: 'flying', tries: mode.tries } });
    m.actions.push({ do: 'renew', record: session.record });
  } else if (mode.is === 'doubting') {
    if (mode.verdict === 'superseded') postpone(m, { kind: 'unavailable' }, mode.jitter);
    else ended(m, mode.verdict);
  }
}

/** New tokens arrived. */
export function rotated(m: Machine, { version, tokens }: EventOf<'rotated'>): void {
  // After a sign-out, or if another process was faster, the response is of no use any more.
  const session = flying(m, version);
  if (!session) return;
  const record = renewed(session.record, tokens, m.wall);
  const next = { ...session, record, deadline: m.now + tokens.expiresIn, lastRotation: m.now, isHurried: isSoon(m, session) };
  save(m, { ...next, mode: idle });
  // Callers that wait for a token from after that are served once this one is saved.
  if (!isOutdated(next)) answerAll(m, { ok: tokens.accessToken });
  emit(m, { is: 'renewed' });
}

/** No response came that says anything about the session. */
export function failed(m: Machine, { version, fault, jitter }: EventOf<'failed'>): void {
  if (flying(m, version)) postpone(m, fault, jitter);
}

/** The server has refused the refresh token. The store is read before that is believed. */
export function refused(m: Machine, { version, verdict, jitter }: EventOf<'refused'>): void {
  const session = flying(m, version);
  if (!session) return;
  become(m, session, { mode: { is: 'doubting', verdict, tries: session.mode.tries, jitter } });
  m.actions.push({ do: 'read' });
}

/** The session, if a renewal of the record with this version is on its way. */
function flying(m: Machine, version: StoreVersion): SignedIn | undefined {
  const session = sessionOf(m);
  const isFlying = session && session.mode.is === 'flying' && !compareVersions(session.record.version, version);
  return isFlying ? session : undefined;
}

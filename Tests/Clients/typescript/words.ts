// The words of the machine's rows: names, and `name=value` for what is not the rule. The time is 10,000 s; a token lives 3,600 s.
import type {
  Action, FirstSave, MachineEvent, MachineState, Mode, Moment, Saved, SignedIn, Verdict,
} from '../../../Shared/LatchkeyAuthTypeScript/core/machine/state.js';
import { idle } from '../../../Shared/LatchkeyAuthTypeScript/core/machine/state.js';
import type { KeptSignOut, StoredItem } from '../../../Shared/LatchkeyAuthTypeScript/core/record/item.js';
import type { SessionRecord } from '../../../Shared/LatchkeyAuthTypeScript/core/record/record.js';
import type { StoreVersion } from '../../../Shared/LatchkeyAuthTypeScript/core/ports.js';
import type { Change, Fault, FaultKind, SignOutReason } from '../../../Shared/LatchkeyAuthTypeScript/core/values.js';

export const present: Moment = { now: 10_000, wall: 1_800_000_000 };

interface Words {
  names: string[];
  values: Record<string, string>;
}

function wordsOf(text: string): Words {
  const parts = text.split(' ');
  const pairs = parts.filter((part) => part.includes('=')).map((part) => [part.split('=')[0], part.slice(part.indexOf('=') + 1)]);
  return { names: parts.filter((part) => !part.includes('=')), values: Object.fromEntries(pairs) };
}

function version(words: string): StoreVersion {
  const [epoch, generation = 0] = words.split('.').map(Number);
  return { epoch, generation };
}

const versionWord = ({ epoch, generation }: StoreVersion): string => `${epoch}.${generation}`;

function record(words: string, age = 0): SessionRecord {
  return {
    origin: 'https://example.com', version: version(words), secret: '', refreshToken: `T${words}`, accessToken: `A${words}`,
    issuedAt: present.wall - age, expiresIn: 3600, userID: 'usr_1',
  };
}

/** A sign-out that was kept, such as `A1.3@-100`: its token (`cookie` for none), and its date in seconds from now. */
const keptFrom = (words: string = ''): KeptSignOut[] => words.split(',').filter(Boolean).map((word) => {
  const [token, date = '0'] = word.split('@');
  const kind = token[0] === 'A' ? { accessToken: token } : token[0] === 'T' ? { refreshToken: token } : {};
  return { ...kind, origin: 'https://api.example.com', since: present.wall + Number(date) };
});

const keptWord = ({ accessToken, refreshToken, scope, since }: KeptSignOut): string =>
  (accessToken || refreshToken || 'cookie') + (scope ? `/${scope}` : '') + (since === present.wall ? '' : `@${since - present.wall}`);

/** A sign-in that is being stored. */
function first({ callers = '9', replaces = '' }: Record<string, string>): FirstSave {
  return { callers: callers.split(',').map(Number), replaces: replaces.split(',').filter(Boolean) };
}

/** The version of a sign-out, without a generation of 0. */
const epochWord = ({ epoch, generation }: StoreVersion): string => generation ? `${epoch}.${generation}` : String(epoch);

function fault(kind: string): Fault {
  if (kind === 'rateLimited') return { kind, retryAfter: 120 };
  if (kind === 'storeUnavailable') return { kind, trouble: 'unreadable' };
  return { kind: kind as FaultKind };
}

const faultWord = ({ kind, reason }: Fault): string => kind === 'signedOut' && reason ? `${kind}:${reason}` : kind;

/** Such as `record 1.4 age=100`, `signedOut 5 asked`, `lost 3` or `nothing`, after some other words. */
function item({ names, values }: Words, from: number): StoredItem {
  const [is, first, second] = names.slice(from);
  switch (is) {
    case 'record': return { is, record: record(first, Number(values.age || 0)), kept: keptFrom(values.kept) };
    case 'signedOut': return { is, version: version(first), reason: (second || 'asked') as SignOutReason, kept: keptFrom(values.kept) };
    case 'lost': return { is, epoch: Number(first) };
    default: return { is: 'nothing' };
  }
}

export function stateFrom(text: string): MachineState {
  const { names: [at, first, second], values } = wordsOf(text);
  const waiters = (values.waiters ? values.waiters.split(',') : [])
    .map((caller) => ({ caller: Number(caller), minimum: 0, refused: values.refused }));
  const rest = { waiters, isInBackground: values.background === 'yes', kept: keptFrom(values.kept) };
  switch (at) {
    case 'starting': return { phase: { at }, ...rest };
    case 'unavailable': return { phase: { at, trouble: 'protectedData' }, ...rest };
    case 'signedOut':
      return { phase: { at, version: version(first), reason: second as SignOutReason, isStored: values.stored !== 'no' }, ...rest };
    case 'signedIn': return { phase: session(first, values), ...rest };
    default: throw new Error(text);
  }
}

function session(words: string, values: Record<string, string>): SignedIn {
  const isResting = values.resting === 'yes';
  return {
    at: 'signedIn', record: { ...record(words), ...isResting ? { accessToken: undefined } : {} }, isResting,
    deadline: present.now + Number(values.left || 3600), mode: mode(values),
    saved: values.saved === 'first' ? first(values) : (values.saved || 'yes') as Saved,
    lastRotation: values.rotated === undefined ? undefined : present.now - Number(values.rotated),
    ...values.outdated ? { outdated: Number(values.outdated) } : {}, ...values.hurried ? { isHurried: true } : {},
  };
}

function mode(values: Record<string, string>): Mode {
  const tries = Number(values.tries || 0);
  switch (values.mode) {
    case 'looking': case 'flying': return { is: values.mode, tries };
    case 'doubting': return { is: values.mode, tries, verdict: (values.verdict || 'ended') as Verdict, jitter: 0.5 };
    case 'waiting':
      return {
        is: values.mode, tries: Math.max(1, tries), until: present.now + Number(values.until || 2),
        fault: fault(values.fault || 'offline'),
      };
    default: return idle;
  }
}

export function stateWords({ phase, waiters, kept }: MachineState): string {
  const parts: string[] = [phase.at];
  if (phase.at === 'signedOut') {
    parts.push(epochWord(phase.version), ...phase.reason ? [phase.reason] : [], ...phase.isStored ? [] : ['stored=no']);
  }
  if (phase.at === 'signedIn') parts.push(...sessionWords(phase));
  if (kept.length) parts.push(`kept=${kept.map(keptWord)}`);
  if (waiters.length) parts.push(`waiters=${waiters.map((waiter) => waiter.caller).join()}`);
  return parts.join(' ');
}

function sessionWords({ record, saved, mode, outdated, isHurried, isResting }: SignedIn): string[] {
  const parts = [versionWord(record.version)];
  if (saved !== 'yes') parts.push(`saved=${typeof saved === 'object' ? 'first' : saved}`);
  if (typeof saved === 'object' && saved.callers.length > 1) parts.push(`callers=${saved.callers}`);
  if (typeof saved === 'object' && saved.replaces.length > 1) parts.push(`replaces=${saved.replaces}`);
  if (mode.is !== 'idle') parts.push(`mode=${mode.is}`);
  if (mode.is === 'waiting') parts.push(`until=${Math.trunc(mode.until - present.now)}`, `fault=${faultWord(mode.fault)}`);
  if (mode.tries) parts.push(`tries=${mode.tries}`);
  if (outdated !== undefined) parts.push(`outdated=${outdated}`);
  if (outdated !== undefined && isHurried) parts.push('hurried=yes');
  if (isResting) parts.push('resting=yes');
  return parts;
}

export function eventFrom(text: string): MachineEvent {
  const words = wordsOf(text);
  const { names: [is, first, second], values } = words;
  const caller = Number(first);
  switch (is) {
    case 'read': return { is, item: item(words, 1) };
    case 'unreadable': return { is, trouble: 'protectedData' };
    case 'written': return { is, version: version(first) };
    case 'found': return { is, version: version(first), item: item(words, 2) };
    case 'unwritten': return { is, version: version(first), trouble: 'unwritable' };
    case 'wanted': return { is, caller, minimum: Number(values.validFor || 0) };
    case 'refusedByAPI': return { is, caller, token: second };
    case 'cancelled': return { is, caller };
    case 'signedIn': return { is, caller, record: { ...record('0.1'), refreshToken: second || 'T0.1' } };
    case 'signOutConfirmed': return { is, signOut: keptFrom(first)[0] };
    case 'signOutAsked': return { is, caller, scope: second === 'all' ? 'all' : undefined };
    case 'over': return { is, reason: first as SignOutReason };
    case 'outdated': return { is };
    case 'userChanged': return { is, user: { id: 'usr_1', name: 'Ann' } };
    case 'rotated': {
      const tokens = { accessToken: 'new access', refreshToken: 'new refresh', expiresIn: Number(values.life || 3600) };
      return { is, version: version(first), tokens };
    }
    case 'failed': return { is, version: version(first), fault: fault(second), jitter: 0.5 };
    case 'refused': return { is, version: version(first), verdict: second as Verdict, jitter: 0.5 };
    case 'woke': return { is };
    case 'foreground': case 'background': case 'networkBack': case 'protectedDataThere':
      return { is: 'changed', change: is as Change, jitter: 0.5 };
    default: throw new Error(text);
  }
}

export function actionWords(action: Action): string {
  switch (action.do) {
    case 'write': return `write ${itemWords(action.item)}`;
    case 'renew': return `renew ${versionWord(action.record.version)}`;
    case 'answer': {
      const { caller, result } = action;
      return 'ok' in result ? `give ${caller} ${result.ok}`.trim() : `refuse ${caller} ${faultWord(result.fault)}`;
    }
    case 'emit': return `emit ${action.event.is}` + (action.event.is === 'signedOut' ? `:${action.event.reason}` : '');
    case 'signOutOnServer':
      if (action.kept && action.caller === undefined) return `makeGood ${keptWord(action.kept)}`;
      return `signOutOnServer ${action.signOut.refreshToken} ${action.signOut.scope || 'thisSession'}` +
        (action.caller === undefined ? '' : ` ${action.caller}`);
    default: return action.do;
  }
}

function itemWords(item: StoredItem): string {
  const kept = 'kept' in item && item.kept && item.kept.length ? ` kept=${item.kept.map(keptWord)}` : '';
  if (item.is === 'record') return versionWord(item.record.version) + kept;
  return item.is === 'signedOut' ? `signedOut ${epochWord(item.version)} ${item.reason}${kept}` : 'nothing';
}

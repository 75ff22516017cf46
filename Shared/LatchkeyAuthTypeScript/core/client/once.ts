import type { Engine } from '../engine.js';
import type { API } from '../http/api.js';
import type { User } from '../values.js';

/** A successful sign-in. */
export interface SignIn {
  readonly user: User;
  /** Whether the user did not exist before: show the onboarding. */
  readonly isNewUser: boolean;
  /** Whether the sign-in cancelled a scheduled deletion of the account. */
  readonly wasRestored: boolean;
}

/** Runs a sign-in, unless one with the same proof is under way or has opened the present session. */
export type Once = (proof: string, signIn: () => Promise<SignIn>) => Promise<SignIn>;

/**
 * Makes two calls with one proof one call: a double tap, or a link that the system delivers twice. A proof that has opened the
 * present session is not sent again, since the server refuses it once the session is renewed.
 */
export function makeOnce(engine: Engine, api: API): Once {
  const underWay = new Map<string, Promise<SignIn>>();

  async function run(proof: string, signIn: () => Promise<SignIn>): Promise<SignIn> {
    await api.first?.();
    const record = engine.record();
    if (record?.proof !== proof) return signIn();
    return { user: record.user || { id: record.userID }, isNewUser: !!record.isNewUser, wasRestored: false };
  }

  return (proof, signIn) => {
    const result = underWay.get(proof) || run(proof, signIn).finally(() => underWay.delete(proof));
    underWay.set(proof, result);
    return result;
  };
}

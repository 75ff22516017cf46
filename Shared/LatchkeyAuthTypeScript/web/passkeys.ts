import { AuthError, type Members, type PasskeySheet } from '../core/index.js';
import { base64url, fromBase64url } from '../core/support/bytes.js';

/** The functions of browsers for the JSON forms of Web Authentication Level 3, and for telling which passkeys there are. */
type Level3 = typeof PublicKeyCredential & {
  parseCreationOptionsFromJSON?(options: Members): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON?(options: Members): PublicKeyCredentialRequestOptions;
  isConditionalMediationAvailable?(): Promise<boolean>;
  signalAllAcceptedCredentials?(all: { rpId: string; userId: string; allAcceptedCredentialIds: string[] }): Promise<void>;
};

/**
 * The browser's sheet for passkeys, or `undefined` where there is none.
 *
 * A browser shows one sheet at a time. A field that waits for a passkey gives way to a sheet that the user has asked for, and to the
 * field of a newer page.
 */
export function makeSheet(): PasskeySheet | undefined {
  const level3 = globalThis.PublicKeyCredential as Level3 | undefined;
  if (!level3 || !navigator.credentials) return undefined;
  let waiting: AbortController | undefined;
  let open = 0;

  /** Runs a request for which the user has asked. */
  async function show(request: () => Promise<Credential | null>): Promise<Members> {
    waiting?.abort();
    open += 1;
    return given(request).finally(() => (open -= 1));
  }

  return {
    create: (options) => show(() => navigator.credentials.create({ publicKey: creation(options, level3) })),
    async get(options, { conditional, signal }) {
      const request = () => ({ publicKey: assertion(options, level3), signal: signal as AbortSignal });
      if (!conditional) return show(() => navigator.credentials.get(request()));
      if (!await level3.isConditionalMediationAvailable?.()) throw new AuthError({ kind: 'methodNotOffered' });
      // The user has asked for a sheet meanwhile, or has left the page.
      if (open || signal?.aborted) throw new AuthError({ kind: 'cancelled' });
      waiting?.abort();
      const controller = waiting = new AbortController();
      const stop = (): void => controller.abort();
      signal?.addEventListener('abort', stop);
      const quiet = { mediation: 'conditional', signal: controller.signal } as unknown as CredentialRequestOptions;
      return given(() => navigator.credentials.get({ ...request(), ...quiet })).finally(() => signal?.removeEventListener('abort', stop));
    },
    accepted: level3.signalAllAcceptedCredentials && ((rpId, userId, allAcceptedCredentialIds) =>
      Promise.resolve(level3.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }))),
  };
}

/** The credential that the user has given, as JSON. */
async function given(request: () => Promise<Credential | null>): Promise<Members> {
  try {
    const credential = await request() as PublicKeyCredential | null;
    if (credential) return jsonOf(credential);
  } catch (error) {
    throw faultOf((error as Error).name);
  }
  throw new AuthError({ kind: 'cancelled' });
}

/** A browser says with the same error that the user has closed the sheet, that time is up, and that there is no passkey. */
function faultOf(name: string): AuthError {
  if (name === 'NotAllowedError' || name === 'AbortError') return new AuthError({ kind: 'cancelled' });
  if (name === 'InvalidStateError') return new AuthError({ kind: 'passkeyExists' });
  return new AuthError({ kind: 'refused', status: 0, code: name });
}

// The JSON forms, also where the browser does not know them

const bytes = (text: string) => new Uint8Array(fromBase64url(text));
const descriptors = (list: Members[] = []): PublicKeyCredentialDescriptor[] =>
  list.map((each) => ({ ...each, id: bytes(each.id) }) as unknown as PublicKeyCredentialDescriptor);

function creation(options: Members, level3: Level3): PublicKeyCredentialCreationOptions {
  if (level3.parseCreationOptionsFromJSON) return level3.parseCreationOptionsFromJSON(options);
  const { challenge, user, excludeCredentials, ...rest } = options;
  return {
    ...rest, challenge: bytes(challenge), user: { ...user, id: bytes(user.id) }, excludeCredentials: descriptors(excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
}

function assertion(options: Members, level3: Level3): PublicKeyCredentialRequestOptions {
  if (level3.parseRequestOptionsFromJSON) return level3.parseRequestOptionsFromJSON(options);
  const { challenge, allowCredentials, ...rest } = options;
  return { ...rest, challenge: bytes(challenge), allowCredentials: descriptors(allowCredentials) };
}

/** An extension that stands for the browser's passkeys may have no `toJSON`, or one that throws. */
function jsonOf(credential: PublicKeyCredential): Members {
  try {
    const json = (credential as unknown as { toJSON(): Members }).toJSON();
    if (json?.response) return json;
  } catch {
    // It is put together here.
  }
  const { id, rawId, type, authenticatorAttachment, response } = credential as PublicKeyCredential & { authenticatorAttachment?: string };
  const members = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const;
  const found = members.map((name) => [name, (response as unknown as Record<string, ArrayBuffer | undefined>)[name]] as const);
  const { getTransports } = response as { getTransports?(): string[] };
  return {
    id, rawId: base64url(new Uint8Array(rawId)), type, ...authenticatorAttachment && { authenticatorAttachment },
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      ...Object.fromEntries(found.filter(([, value]) => value).map(([name, value]) => [name, base64url(new Uint8Array(value as ArrayBuffer))])),
      ...getTransports && { transports: getTransports.call(response) },
    },
  };
}

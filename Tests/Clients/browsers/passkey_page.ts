// The session of a page for virtual_authenticator.py, which calls it.
import { createAuth } from '../../../Shared/LatchkeyAuthTypeScript/web/index.js';

Object.assign(globalThis, { auth: createAuth({ baseURL: location.origin, session: 'memory', deviceName: 'Chromium' }) });

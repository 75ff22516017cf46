// The classes of which the printed client.ts makes its instances.
import './globals';
import { AuthenticatedApiClient } from '@/core/shared/api/authenticated';
import { PublicApiClient } from '@/core/shared/api/public';

Object.assign(globalThis, { AuthenticatedApiClient, PublicApiClient });

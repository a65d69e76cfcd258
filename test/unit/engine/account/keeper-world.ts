import { createKeychainTokens } from '../../../../electron/engine/account/keychain-tokens.ts';
import type { SiteRecords } from '../../../../electron/engine/account/site-records.ts';
import { createTokenKeeper, type SignInTokens } from '../../../../electron/engine/account/token-keeper.ts';
import type { TokenResponse } from '../../../../shared/api/oauth.ts';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { type FlakyKeychain, flakyKeychain } from '../../../helpers/engine/flaky-keychain.ts';
import { recordsInMemory, someRecord } from '../../../helpers/engine/site-records-in-memory.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

/** Returns the error for a refresh token that the token endpoint refuses with this status. */
export const refused = (status = 400) => appError('sign-in.required', { details: { status, outcome: 'refused' } });

/**
 * Creates a token endpoint that behaves like the reference service: each refresh token works once; its reuse revokes all tokens.
 */
function tokenEndpoint() {
  const endpoint = {
    live: 'r0' as string | null,
    sent: [] as string[],
    failWith: null as AppError | null,
    loseReply: false,
    /** No answer arrives; the caller can only abort. */
    hangs: false,
    count: 0,
    lifeSeconds: 3600,
    rotates: true,
    async refresh(token: string, signal: AbortSignal): Promise<TokenResponse> {
      endpoint.sent.push(token);
      if (endpoint.hangs)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      await new Promise((resolve) => setImmediate(resolve));
      if (endpoint.failWith !== null) throw endpoint.failWith;
      if (token !== endpoint.live) {
        endpoint.live = null;
        throw refused();
      }
      const tokens = endpoint.issue();
      return endpoint.rotates ? tokens : { ...tokens, refresh_token: null };
    },
    /** Resolves when the endpoint was called this number of times. */
    async whenAsked(times: number): Promise<void> {
      while (endpoint.sent.length < times) await new Promise((resolve) => setImmediate(resolve));
    },
    issue(): SignInTokens {
      endpoint.count++;
      if (endpoint.rotates) endpoint.live = `r${endpoint.count}`;
      if (endpoint.loseReply) throw appError('network.timed-out', { details: { outcome: 'unknown' } });
      return {
        token_type: 'Bearer',
        access_token: `a${endpoint.count}`,
        expires_in: endpoint.lifeSeconds,
        refresh_token: `r${endpoint.count}`,
        scope: null,
      };
    },
  };
  return endpoint;
}

type Endpoint = ReturnType<typeof tokenEndpoint>;

export interface World {
  clock: ManualClock;
  keychain: FlakyKeychain;
  records: SiteRecords;
  endpoint: Endpoint;
}

export function world(over: Partial<World> = {}): World {
  const keychain = flakyKeychain(new Map([['site-1/b', '1.r0']]));
  return {
    clock: new ManualClock(),
    keychain,
    records: recordsInMemory([someRecord]),
    endpoint: tokenEndpoint(),
    ...over,
  };
}

/** Creates the token keeper of a process; a second call stands for the process after a restart. */
export function keeperOf({ clock, keychain, records, endpoint }: World, logger = captureLogger()) {
  const siteId = someRecord.id;
  const record = () => records.get(siteId) ?? someRecord;
  const update = (change: object) => records.put({ ...record(), ...change });
  const changes: string[] = [];
  const keeper = createTokenKeeper({
    siteId,
    clock,
    logger,
    record,
    update,
    refresh: endpoint.refresh,
    keychainTokens: createKeychainTokens({ siteId, keychain, logger, record, update }),
    onDidChange: () => void changes.push(keeper.isAuthorized() ? 'authorized' : 'needs-sign-in'),
  });
  return Object.assign(keeper, { changes });
}

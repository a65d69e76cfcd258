import { type AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { HandledInput } from '../../../shared/contract/contract.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { createEpochGuard, isRestored } from '../api/epoch-guard.ts';
import { transportWithFailpoints } from '../api/failpoint-transport.ts';
import { createSiteClient, type SiteClient } from '../api/http-client.ts';
import { refreshTokens } from '../api/oauth.ts';
import { createTransport } from '../api/transport.ts';
import { Emitter } from '../common/emitter.ts';
import type { Connections } from '../network/connections.ts';
import type { BrowserNetwork, BrowserOpener } from '../ports/browser-opener.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import { type Failpoints, NO_FAILPOINTS } from '../ports/failpoints.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { createKeychainTokens } from './keychain-tokens.ts';
import { observed } from './observed-client.ts';
import { type SignInPhase, SignIns } from './sign-ins.ts';
import { siteDisplayName } from './site-address.ts';
import type { SiteRecord, SiteRecords } from './site-records.ts';
import { createTokenKeeper, type TokenKeeper } from './token-keeper.ts';

export interface AccountsOptions {
  records: SiteRecords;
  keychain: Keychain;
  clock: Clock;
  random: Random;
  logger: Logger;
  openers: { embedded: BrowserOpener | null; system: BrowserOpener | null };
  userAgent: string;
  failpoints?: Failpoints;
  connections: Connections;
  /** How a window for a sign-in reaches the library. */
  browserNetwork: BrowserNetwork;
}

/**
 * The accounts of this profile. A `Site` is one account: a user at a library. Two users of one library are two accounts
 * with separate tokens, uploads and caches.
 */
export interface Accounts {
  /**
   * Reads the stored sign-ins from the keychain. Sends no request. Waits at most two seconds for a slow keychain (a locked one
   * waits for the user): a later result is announced when it arrives.
   */
  start(): Promise<void>;
  list(): Site[];
  /**
   * Checks the address, shows the sign-in page and waits for its end. Throws `site.*`, `sign-in.*`, `network.*`,
   * `api.*`. A known account keeps its id, so that its waiting uploads stay with it; another user of the same library
   * is another account.
   */
  signIn(input: HandledInput<'sites.signIn'>): Promise<Site>;
  /** See the call `sites.pasteCode`. */
  pasteCode(text: string): void;
  cancelSignIn(): void;
  /** Deletes the tokens of an account; the site record stays for its uploads. Throws `site.unknown`, `keychain.*`. */
  signOut(siteId: string): Promise<void>;
  /**
   * Returns the only client of a site. Throws `site.unknown`; a request of a signed-out account throws
   * `sign-in.required`.
   */
  clientFor(siteId: string): SiteClient;
  /** The epoch about which the user has not decided; null: the library was not restored. Throws `site.unknown`. */
  restoredEpoch(siteId: string): string | null;
  /**
   * The user continues with a library that was restored from a backup: changes are sent to it again. Without effect when `epoch` is not
   * the present question any more. Throws `site.unknown`.
   */
  acceptRestored(siteId: string, epoch: string): void;
  /** Called when the network may have changed: see `SiteClient.reconnect`. */
  reconnect(): void;
  /** Why a sign-in is not stored in the keychain; null when all are stored. */
  keychainProblem(): AppError | null;
  onDidChangeSites(listener: (sites: Site[]) => void): () => void;
  onDidChangeSignIn(listener: (phase: SignInPhase) => void): () => void;
  /**
   * Cancels a running sign-in, waits for a limited time for refreshes in flight and for the keychain, and closes
   * connections.
   */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 2000;
const STOP_TIMEOUT_MS = 5000;

interface Account {
  keeper: TokenKeeper;
  client: SiteClient;
  isReachable: boolean;
}

/** Creates the accounts of a profile. They are signed in once `start` has read the keychain. */
export function createAccounts(options: AccountsOptions): Accounts {
  const { records, keychain, clock, random, logger, userAgent, connections, failpoints = NO_FAILPOINTS } = options;
  const transport = transportWithFailpoints(createTransport(connections), failpoints);
  const accounts = new Map<string, Account>();
  const sitesChanged = new Emitter<Site[]>();
  const signInChanged = new Emitter<SignInPhase>();
  let openSignIn: AbortController | null = null;

  const recordOf = (siteId: string): SiteRecord => {
    const record = records.get(siteId);
    if (record === null) throw appError('site.unknown', { details: { siteId } });
    return record;
  };
  const announce = () => sitesChanged.emit(list());

  function accountOf(siteId: string): Account {
    const known = accounts.get(siteId);
    if (known !== undefined) return known;
    const record = () => recordOf(siteId);
    const { baseUrl } = record();
    const update = (change: Partial<SiteRecord>) => records.put({ ...record(), ...change });
    const keeper = createTokenKeeper({
      siteId,
      clock,
      logger,
      record,
      update,
      keychainTokens: createKeychainTokens({ siteId, keychain, logger, record, update }),
      refresh: (token, signal) =>
        refreshTokens({ baseUrl, clientId: record().clientId, transport, userAgent, signal }, token),
      onDidChange: announce,
    });
    const epochs = createEpochGuard({
      record,
      update,
      onDidChange() {
        logger.warn('account.epoch-changed', { siteId, isRestored: isRestored(record()) });
        announce();
      },
    });
    const client = observed(
      createSiteClient({ baseUrl, tokens: keeper, clock, logger, userAgent, failpoints, connections, epochs }),
      (isReachable) => {
        if (account.isReachable === isReachable) return;
        account.isReachable = isReachable;
        announce();
      },
    );
    const account: Account = { keeper, client, isReachable: true };
    accounts.set(siteId, account);
    return account;
  }

  function siteOf(record: SiteRecord): Site {
    const account = accountOf(record.id);
    const state = !record.signedIn ? 'signed-out' : account.keeper.isAuthorized() ? 'signed-in' : 'needs-sign-in';
    return {
      id: record.id,
      baseUrl: record.baseUrl,
      clientId: record.clientId,
      userId: record.userId,
      displayName: siteDisplayName(record.baseUrl),
      accountName: record.accountName,
      state,
      keptIn: record.keptIn,
      problem: record.signedIn ? (account.keeper.keychainProblem()?.toData() ?? null) : null,
      reachable: account.isReachable,
      restored: isRestored(record),
    };
  }

  function list(): Site[] {
    return records.list().map(siteOf);
  }

  const signIns = new SignIns({
    records,
    keychain,
    clock,
    random,
    logger,
    openers: options.openers,
    browserNetwork: options.browserNetwork,
    transport,
    connections,
    userAgent,
    recordOf,
    keeperOf: (siteId) => accountOf(siteId).keeper,
    onPhase: (phase, openUrl) => signInChanged.emit({ phase, openUrl }),
  });

  return {
    list,

    async start() {
      const signedIn = records.list().filter((record) => record.signedIn);
      for (const record of signedIn) {
        if (record.refreshingSince !== null) logger.warn('account.refresh-interrupted', { siteId: record.id });
      }
      await withinTimeout(
        clock,
        START_TIMEOUT_MS,
        signedIn.map((record) => accountOf(record.id).keeper.start()),
      );
    },

    async signIn(input) {
      if (openSignIn !== null) throw appError('sign-in.in-progress');
      const controller = new AbortController();
      openSignIn = controller;
      try {
        return siteOf(recordOf(await signIns.run(input, controller.signal)));
      } catch (error) {
        const failure = toAppError(error);
        logger.info('account.sign-in-failed', { code: failure.code });
        throw failure;
      } finally {
        openSignIn = null;
        signInChanged.emit({ phase: null, openUrl: null });
        announce();
      }
    },

    pasteCode: (text) => signIns.paste(text),

    cancelSignIn() {
      openSignIn?.abort(appError('sign-in.cancelled'));
    },

    async signOut(siteId) {
      recordOf(siteId);
      const { keeper } = accountOf(siteId);
      try {
        await keeper.forget();
      } finally {
        records.put({ ...recordOf(siteId), signedIn: false, refreshingSince: null });
        logger.info('account.signed-out', { siteId });
        announce();
      }
    },

    clientFor: (siteId) => accountOf(recordOf(siteId).id).client,

    restoredEpoch: (siteId) => recordOf(siteId).restoredEpoch ?? null,

    acceptRestored(siteId, epoch) {
      const record = recordOf(siteId);
      if (record.restoredEpoch !== epoch) return;
      records.put({ ...record, epoch, restoredEpoch: null });
      logger.info('account.restored-accepted', { siteId });
      announce();
    },

    reconnect() {
      for (const { client } of accounts.values()) client.reconnect();
      transport.reconnect();
    },

    keychainProblem() {
      for (const { keeper } of accounts.values()) {
        const problem = keeper.keychainProblem();
        if (problem !== null) return problem;
      }
      return null;
    },

    onDidChangeSites: (listener) => sitesChanged.on(listener),
    onDidChangeSignIn: (listener) => signInChanged.on(listener),

    async stop() {
      openSignIn?.abort(appError('sign-in.cancelled'));
      await withinTimeout(
        clock,
        STOP_TIMEOUT_MS,
        [...accounts.values()].map(({ keeper }) => keeper.stop()),
      );
      for (const { client } of accounts.values()) client.close();
      transport.close();
    },
  };
}

/** Waits for all promises, at most for the given time. */
async function withinTimeout(clock: Clock, timeoutMs: number, works: Promise<void>[]): Promise<void> {
  const cancel = new AbortController();
  const timeout = sleep(clock, timeoutMs, cancel.signal).catch(() => {});
  await Promise.race([Promise.all(works), timeout]).finally(() => cancel.abort());
}

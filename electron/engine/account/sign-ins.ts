import { appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { EventData, HandledInput } from '../../../shared/contract/contract.ts';
import type { Transport } from '../api/transport.ts';
import type { Connections } from '../network/connections.ts';
import type { BrowserNetwork, BrowserOpener } from '../ports/browser-opener.ts';
import type { Clock } from '../ports/clock.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { noBrowser } from '../ports/system/browser-system.ts';
import { type AccountIdentity, readIdentity } from './account-identity.ts';
import { findRecord } from './find-record.ts';
import { runNativeFlow } from './native-flow.ts';
import { PastedCode } from './pasted-code.ts';
import { recognizeLibrary } from './recognize-library.ts';
import { parseSiteAddress } from './site-address.ts';
import type { SiteRecord, SiteRecords } from './site-records.ts';
import type { TokenKeeper } from './token-keeper.ts';

export type SignInPhase = EventData<'onDidChangeSignIn'>;

export interface SignInTools {
  records: SiteRecords;
  keychain: Pick<Keychain, 'kind'>;
  clock: Clock;
  random: Random;
  logger: Logger;
  openers: { embedded: BrowserOpener | null; system: BrowserOpener | null };
  browserNetwork: BrowserNetwork;
  transport: Transport;
  connections: Connections;
  userAgent: string;
  /** Throws `site.unknown`. */
  recordOf(siteId: string): SiteRecord;
  keeperOf(siteId: string): TokenKeeper;
  onPhase(phase: SignInPhase['phase'], openUrl: SignInPhase['openUrl']): void;
}

/** Signs users in: from the address of a library to the tokens of an account. */
export class SignIns {
  readonly #tools: SignInTools;
  readonly #pasted = new PastedCode();

  constructor(tools: SignInTools) {
    this.#tools = tools;
  }

  /** See the call `sites.pasteCode`. */
  paste(text: string): void {
    this.#pasted.give(text);
  }

  /**
   * Shows the sign-in page and keeps the tokens of the account. Returns its id in `records`. Throws as `Accounts.signIn`.
   */
  async run(input: HandledInput<'sites.signIn'>, signal: AbortSignal): Promise<string> {
    const { clock, random, transport, userAgent, browserNetwork, keeperOf, onPhase } = this.#tools;
    // A page that shows the code may be open on another computer: none is opened here by itself.
    const opener =
      input.redirect === 'paste' && input.browser === 'embedded' ? noBrowser : this.#openerOf(input.browser);
    const baseUrl = parseSiteAddress(input.baseUrl);
    const { clientId } = input;
    onPhase('checking', null);
    await recognizeLibrary({ transport, userAgent, signal }, baseUrl);
    const tokens = await runNativeFlow({
      baseUrl,
      clientId,
      opener,
      network: browserNetwork,
      clock,
      random,
      transport,
      userAgent,
      signal,
      onPhase,
      ...(input.port !== undefined && { ports: [input.port] }),
      ...(input.redirect === 'paste' && { pasted: this.#pasted }),
    });
    const { refresh_token } = tokens;
    // Checked before the record is stored, because the record would show the account as signed in.
    if (refresh_token === null) {
      throw appError('sign-in.failed', { details: { reason: 'the library gave no refresh token' } });
    }
    // A cancel has no effect from here on: the code is redeemed, and the authorization would stay unused.
    const identity = await this.#identify(baseUrl, clientId, tokens.access_token);
    const siteId = this.#keepRecord(baseUrl, clientId, identity);
    await keeperOf(siteId).adopt({ ...tokens, refresh_token });
    return siteId;
  }

  #openerOf(browser: 'embedded' | 'system'): BrowserOpener {
    const { openers } = this.#tools;
    const opener = openers[browser] ?? openers.embedded ?? openers.system;
    if (opener === null) throw appError('sign-in.failed', { details: { reason: 'no browser on this host' } });
    return opener;
  }

  /**
   * Gets the owner of the tokens. An unknown owner is acceptable at a new address; at an address with other accounts,
   * their uploads must not get this owner.
   */
  async #identify(baseUrl: string, clientId: string, accessToken: string): Promise<AccountIdentity> {
    const { records, clock, logger, transport, userAgent, connections } = this.#tools;
    const context = { baseUrl, clientId, transport, userAgent };
    try {
      await this.#learnEarlierIdentities(baseUrl);
      return await readIdentity(context, { accessToken, clock, logger, connections });
    } catch (error) {
      if (records.list().some((record) => record.baseUrl === baseUrl)) throw error;
      return { userId: null, name: null };
    }
  }

  /** Adds the owner to records of unknown owner, if their sign-in is still valid. */
  async #learnEarlierIdentities(baseUrl: string): Promise<void> {
    const { records, clock, logger, transport, userAgent, connections, recordOf, keeperOf } = this.#tools;
    for (const record of records.list()) {
      if (record.baseUrl !== baseUrl || record.userId !== null || !record.signedIn) continue;
      try {
        const accessToken = await keeperOf(record.id).accessToken();
        const context = { baseUrl, clientId: record.clientId, transport, userAgent };
        const { userId, name } = await readIdentity(context, { accessToken, clock, logger, connections });
        if (userId !== null) records.put({ ...recordOf(record.id), userId, accountName: name });
      } catch (error) {
        // Without a valid sign-in the owner is unknown; `findRecord` then compares names.
        logger.info('account.identity-not-learned', { siteId: record.id, code: toAppError(error).code });
      }
    }
  }

  /** Returns the record of this user at this address; creates it if necessary. */
  #keepRecord(baseUrl: string, clientId: string, { userId, name }: AccountIdentity): string {
    const { records, keychain, clock, random } = this.#tools;
    const record: SiteRecord = findRecord(records.list(), baseUrl, { userId, name }) ?? {
      id: random.uuid(),
      baseUrl,
      userId,
      accountName: name,
      keychainSlot: 'b',
      keptIn: keychain.kind,
      refreshingSince: null,
      addedAt: clock.now(),
      clientId,
      signedIn: true,
    };
    records.put({ ...record, clientId, userId, accountName: name, signedIn: true });
    return record.id;
  }
}

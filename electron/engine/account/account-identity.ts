import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { isPassing } from '../../../shared/contract/errors/error-catalog.ts';
import { createSiteClient } from '../api/http-client.ts';
import { type OauthContext, tokenInfo } from '../api/oauth.ts';
import { getUser } from '../api/users.ts';
import type { Connections } from '../network/connections.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

/** The owner of a session's tokens. */
export interface AccountIdentity {
  /** null when the library does not report it. */
  userId: string | null;
  /** The display name; null when nothing is known. */
  name: string | null;
}

export interface IdentityTools {
  accessToken: string;
  clock: Clock;
  logger: Logger;
  connections: Connections;
}

const TRIES = 3;
const BETWEEN_TRIES_MS = 500;

/**
 * Asks the library for the owner of an access token. Values are null when the library does not report them. Throws
 * `network.*` or `api.server-error` when the library can't answer now, because the owner of the uploads is unknown
 * then.
 */
export async function readIdentity(context: OauthContext, tools: IdentityTools): Promise<AccountIdentity> {
  const userId = await retried(() => readUserId(context, tools), tools.clock, context.signal);
  return { userId, name: userId === null ? null : await readName(context, tools, userId) };
}

/** Returns the user id, or null when the library refuses the request; throws errors that a retry can resolve. */
async function readUserId(context: OauthContext, { accessToken, logger }: IdentityTools): Promise<string | null> {
  try {
    return (await tokenInfo(context, accessToken)).user_id;
  } catch (error) {
    if (!(error instanceof AppError) || isPassing(error.code)) throw error;
    logger.debug('account.identity-unknown', { code: error.code });
    return null;
  }
}

/**
 * Reads the name of the user. Only administrators may read users, even their own: others have a name with their user number, so
 * that two accounts differ.
 */
async function readName(context: OauthContext, tools: IdentityTools, userId: string): Promise<string> {
  const { accessToken, clock, logger, connections } = tools;
  const renew = async () => {
    throw appError('sign-in.required');
  };
  const tokens = { accessToken: async () => accessToken, renew };
  const { baseUrl, userAgent } = context;
  const client = createSiteClient({ baseUrl, tokens, clock, logger, userAgent, connections });
  try {
    const user = await getUser(client, userId, context.signal);
    return user.display_name || user.email_address || unnamed(userId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.debug('account.name-unknown', { code: error.code });
    return unnamed(userId);
  } finally {
    client.close();
  }
}

const unnamed = (userId: string): string => `Unnamed account ${userId}`;

async function retried<T>(ask: () => Promise<T>, clock: Clock, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === TRIES || !(error instanceof AppError) || !isPassing(error.code)) throw error;
      await sleep(clock, BETWEEN_TRIES_MS, signal);
    }
  }
}

import { AppError } from '../../../shared/contract/app-error.ts';
import type { SiteClient } from '../api/http-client.ts';
import { type OauthContext, tokenInfo } from '../api/oauth.ts';
import { getUser } from '../api/users.ts';
import type { Logger } from '../ports/logger.ts';

/**
 * Who is signed in, as far as the service tells: only administrators may look at users, even at themselves, so for
 * everyone else it is the user's number. null when not even that is told. Never fails: a name is no part of a sign-in.
 */
export async function readAccountName(
  context: OauthContext,
  options: { client: SiteClient; accessToken: string; logger: Logger },
): Promise<string | null> {
  let userId: string | null = null;
  try {
    userId = (await tokenInfo(context, options.accessToken)).user_id;
    const user = await getUser(options.client, userId);
    return user.display_name || user.email_address || `User ${userId}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    options.logger.debug('account.name-unknown', { code: error.code });
    return userId === null ? null : `User ${userId}`;
  }
}

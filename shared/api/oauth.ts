import { z } from 'zod';
import { blank, withDefault } from './wire.ts';

export const AUTHORIZE_PATH = '/api2/oauth/authorize';
export const TOKEN_PATH = '/api2/oauth/access_token';
export const TOKENINFO_PATH = '/api2/oauth/tokeninfo';

/** The redirect for clients that run a local web server; any port may be added. */
export const LOOPBACK_REDIRECT = 'http://localhost/';
/** The redirect for clients without a local web server: the page after the sign-in has the result in its title. */
export const OOB_REDIRECT = 'urn:ietf:wg:oauth:2.0:oob';

/** The answer of the token endpoint, for a code and for a refresh. */
export const tokenResponseSchema = z.object({
  token_type: withDefault(z.string(), 'Bearer'),
  access_token: z.string().min(1),
  /** Seconds. */
  expires_in: withDefault(z.coerce.number(), 3600),
  /** The new refresh token, which replaces the one that was used. Native clients always get one. */
  refresh_token: blank(z.string()),
  scope: blank(z.string()),
});
export type TokenResponse = z.output<typeof tokenResponseSchema>;

export const tokenInfoSchema = z.object({
  audience: z.string(),
  user_id: z.coerce.string(),
  scope: blank(z.string()),
  /** Seconds. */
  expires_in: withDefault(z.coerce.number(), 0),
});
export type TokenInfo = z.output<typeof tokenInfoSchema>;

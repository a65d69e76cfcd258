import type { Answer, JsonObject } from '../http/answer.ts';
import { Api } from '../http/api.ts';
import {
  type AuthorizationRequest,
  authorize,
  CODE_VERIFIER,
  type Credentials,
  LOOPBACK,
  PKCE,
  randomState,
} from '../http/authorization.ts';
import type { Browser } from '../http/browser.ts';
import { Session, type Tokens } from '../http/session.ts';
import type { Site } from '../http/site.ts';
import { Failure } from '../suite/failure.ts';
import type { Made, Makers } from './makers.ts';
import { type Permission, withDependencies } from './permissions.ts';

/** A signed-in user. */
interface Person {
  api: Api;
  userId: string;
  /** Null when the session was started with a token. */
  credentials: Credentials | null;
}

/** The permissions of a user in a collection that inherits nothing. */
export interface Holder {
  api: Api;
  userId: string;
  collection: Made;
}

export interface People {
  /** A user who is not an administrator; the same one at each call. */
  second(): Promise<Person>;
  /** Gives that user exactly these permissions (and their dependencies) in a collection. */
  grant(collection: Made, permissions: readonly Permission[]): Promise<void>;
  /** Returns that user with exactly these permissions (and their dependencies) in a new collection. */
  holding(permissions: readonly Permission[], fields?: JsonObject): Promise<Holder>;
}

/** Follows the code flow and returns the code; fails when there is none. */
export async function codeFor(
  site: Site,
  request: AuthorizationRequest,
  person: Credentials,
  browser?: Browser,
): Promise<string> {
  const outcome = await authorize(site, request, person, 'approve', browser);
  const code = outcome.query.get('code');
  if (code === null) {
    const where = outcome.kind === 'page' ? `a page titled “${outcome.title}” (${outcome.status})` : outcome.location;
    throw new Failure(`No code was given for ${person.email}; the end was ${where}.`);
  }
  return code;
}

export function codeRequest(clientId: string): AuthorizationRequest & { redirect_uri: string; state: string } {
  return { response_type: 'code', client_id: clientId, redirect_uri: LOOPBACK, state: randomState(), ...PKCE };
}

/** Exchanges a code; returns the answer of the token endpoint. */
export function redeem(site: Site, clientId: string, code: string, redirectUri: string = LOOPBACK): Promise<Answer> {
  const body = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: CODE_VERIFIER,
  };
  return site.send('POST', '/api2/oauth/access_token', { body });
}

export function tokensOf(answer: Answer): Tokens {
  if (answer.status !== 200) throw new Failure(`200 was expected: ${answer}`);
  const { access_token, refresh_token } = answer.object();
  if (typeof access_token !== 'string') throw new Failure('access_token is not a string.');
  return { accessToken: access_token, refreshToken: typeof refresh_token === 'string' ? refresh_token : null };
}

/** Signs a user in through the forms. */
export async function signIn(site: Site, clientId: string, person: Credentials): Promise<Session> {
  const code = await codeFor(site, codeRequest(clientId), person);
  return new Session(site, clientId, tokensOf(await redeem(site, clientId, code)));
}

/** The id of the user of a session. */
async function userIdOf(api: Api): Promise<string> {
  return String((await api.read('/api2/oauth/tokeninfo')).user_id);
}

export interface PeopleParts {
  site: Site;
  clientId: string;
  /** The user named on the command line. */
  given: Credentials | null;
  make: Makers;
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  name(label: string): string;
}

export function createPeople({ site, clientId, given, make, once, name }: PeopleParts): People {
  async function signedIn(credentials: Credentials): Promise<Person> {
    const api = new Api(site, await signIn(site, clientId, credentials));
    return { api, userId: await userIdOf(api), credentials };
  }

  const second = () =>
    once('second person', async () => {
      if (given) return signedIn(given);
      const credentials = { email: `${name('second')}@conformance.example`, password: `Pw-${name('second')}!7` };
      await make.user({ email_address: credentials.email, password: credentials.password });
      return signedIn(credentials);
    });

  const roleFor = (permissions: readonly Permission[]) => {
    const all = withDependencies(permissions);
    return once(`role ${all.join(' ')}`, () => make.role(all));
  };

  async function grant(collection: Made, permissions: readonly Permission[]): Promise<void> {
    const [{ userId }, role] = [await second(), await roleFor(permissions)];
    await make.membership({ role_id: role.id, collection_id: collection.id, user_id: userId });
  }

  return {
    second,
    grant,
    async holding(permissions, fields = {}) {
      const { api, userId } = await second();
      const collection = await make.collection({ inherit_memberships: false, ...fields });
      if (permissions.length > 0) await grant(collection, permissions);
      return { api, userId, collection };
    },
  };
}

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

/** Someone who has signed in. */
interface Person {
  api: Api;
  userId: string;
  /** Null when they came with a token. */
  credentials: Credentials | null;
}

/** What a person holds in a collection that inherits nothing. */
export interface Holder {
  api: Api;
  userId: string;
  collection: Made;
}

export interface People {
  /** A person who is no administrator; the same one each time. */
  second(): Promise<Person>;
  /** Gives that person exactly these permissions (and what they depend on) in a collection. */
  grant(collection: Made, permissions: readonly Permission[]): Promise<void>;
  /** That person in a new collection, holding exactly these permissions (and what they depend on) there. */
  holding(permissions: readonly Permission[], fields?: JsonObject): Promise<Holder>;
}

/** Walks the code flow and returns the code; fails when none is given. */
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

/** Exchanges a code for the answer of the token endpoint. */
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

/** Signs someone in through the forms. */
export async function signIn(site: Site, clientId: string, person: Credentials): Promise<Session> {
  const code = await codeFor(site, codeRequest(clientId), person);
  return new Session(site, clientId, tokensOf(await redeem(site, clientId, code)));
}

/** The id of the person whose tokens a session holds. */
async function userIdOf(api: Api): Promise<string> {
  return String((await api.read('/api2/oauth/tokeninfo')).user_id);
}

export interface PeopleParts {
  site: Site;
  clientId: string;
  /** The one who was named on the command line. */
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

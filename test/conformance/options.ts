import { parseArgs } from 'node:util';

export interface Options {
  baseUrl: string;
  clientId: string;
  /** The administrator who runs the suite. */
  email: string | null;
  password: string | null;
  accessToken: string | null;
  refreshToken: string | null;
  secondEmail: string | null;
  secondPassword: string | null;
  /** The client of the token flow, if another client is registered for it. */
  tokenClientId: string | null;
  tokenRedirectUri: string | null;
  controlUrl: string | null;
  controlToken: string | null;
  only: string[];
  list: boolean;
  out: string | null;
  harmful: boolean;
  /** A client that oazapfts generated; null: the suite sends all requests itself. */
  generatedClient: string | null;
}

export const USAGE = `Usage: npm run conformance -- --base-url URL --client-id ID --email ADDRESS --password TEXT [options]
       npm run conformance -- client [--only AREA|ID]... [--list]
       npm run conformance -- destinations [--only STORE]... [--light]

The first form runs named cases against a server of this API, as an administrator. Everything that it creates lies in
one collection of its own, or has a name that begins with "conf-", and is removed at the end. The second form runs this
program against servers that are legitimate but unusual.

  --access-token TEXT --refresh-token TEXT   instead of (or beside) --email and --password
  --second-email ADDRESS --second-password TEXT
                          a person who is no administrator and holds nothing; without it, one is created
  --token-client-id ID --token-redirect-uri URL
                          what is registered for the browser-script flow, if that is another client
  --control-url URL --control-token TEXT     the control port of the library service: adds the cases that need the
                          site's settings (read-only mode, CORS, the clock, processing)
  --harmful               adds the cases that would do harm on a server that does not keep its word (deleting a root
                          collection); on with --control-url
  --generated-client FILE sends each request that it can express through this client, which oazapfts generated from the
                          server's /openapi.json; with --out, generated-client.json counts the calls
  --only SECTION|ID       only these cases; may be given several times
  --out DIR               writes conformance.json and conformance.xml (JUnit) there
  --list                  lists the cases and runs none

Passwords and tokens may come from the environment instead: CONFORMANCE_PASSWORD, CONFORMANCE_SECOND_PASSWORD,
CONFORMANCE_ACCESS_TOKEN, CONFORMANCE_REFRESH_TOKEN, CONFORMANCE_CONTROL_TOKEN.

Ends with 0 when no case failed and everything was removed, with 1 otherwise, with 2 when it could not start.`;

/** Reads the command line. Throws an Error with the reason when it is invalid. */
export function readOptions(args: string[]): Options | 'help' {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      'base-url': text,
      'client-id': text,
      email: text,
      password: text,
      'access-token': text,
      'refresh-token': text,
      'second-email': text,
      'second-password': text,
      'token-client-id': text,
      'token-redirect-uri': text,
      'control-url': text,
      'control-token': text,
      only: { type: 'string', multiple: true },
      out: text,
      list: { type: 'boolean' },
      harmful: { type: 'boolean' },
      'generated-client': text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const list = values.list ?? false;
  const need = (name: 'base-url' | 'client-id'): string => {
    const value = values[name];
    if (!value && !list) throw new Error(`--${name} is required.`);
    return value ?? '';
  };
  const baseUrl = need('base-url');
  if (!list && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new Error('--base-url must be a web address.');
  const secret = (name: 'password' | 'second-password' | 'access-token' | 'refresh-token' | 'control-token') =>
    values[name] ?? process.env[`CONFORMANCE_${name.toUpperCase().replace('-', '_')}`] ?? null;
  const [password, accessToken] = [secret('password'), secret('access-token')];
  if (!list && !(values.email && password) && !accessToken) {
    throw new Error('--email and --password are required, or --access-token.');
  }
  const controlUrl = values['control-url'] ?? null;
  return {
    baseUrl,
    clientId: need('client-id'),
    email: values.email ?? null,
    password,
    accessToken,
    refreshToken: secret('refresh-token'),
    secondEmail: values['second-email'] ?? null,
    secondPassword: secret('second-password'),
    tokenClientId: values['token-client-id'] ?? null,
    tokenRedirectUri: values['token-redirect-uri'] ?? null,
    controlUrl,
    controlToken: secret('control-token'),
    only: values.only ?? [],
    list,
    out: values.out ?? null,
    generatedClient: values['generated-client'] ?? null,
    harmful: values.harmful ?? controlUrl !== null,
  };
}

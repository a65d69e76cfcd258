import type { Site } from './site.ts';

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
}

/** The tokens of a user. Gets a new access token when the server refuses the old one. */
export class Session {
  readonly #site: Site;
  readonly #clientId: string;
  #tokens: Tokens;

  constructor(site: Site, clientId: string, tokens: Tokens) {
    this.#site = site;
    this.#clientId = clientId;
    this.#tokens = tokens;
  }

  /** Returns a session with the same tokens whose refreshes use another `Site`. */
  on(site: Site): Session {
    return new Session(site, this.#clientId, this.#tokens);
  }

  get accessToken(): string {
    return this.#tokens.accessToken;
  }

  /** Refreshes the tokens; returns false when that fails. */
  async renew(): Promise<boolean> {
    const { refreshToken } = this.#tokens;
    if (refreshToken === null) return false;
    const answer = await this.#site.send('POST', '/api2/oauth/access_token', {
      body: { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: this.#clientId },
    });
    if (answer.status !== 200) return false;
    const { access_token, refresh_token } = answer.object();
    if (typeof access_token !== 'string') return false;
    this.#tokens = {
      accessToken: access_token,
      refreshToken: typeof refresh_token === 'string' ? refresh_token : refreshToken,
    };
    return true;
  }
}

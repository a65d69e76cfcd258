import type { Agent, AgentOptions, IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../ports/clock.ts';
import { ProxyFault } from './connection-fault.ts';
import { type Credentials, nameOfProxy, type ProxyServer } from './proxy-choice.ts';
import { PlainAgent, SecureAgent } from './routed-agents.ts';
import type { Routes } from './routes.ts';
import type { Trust } from './trust.ts';
import { type ProxyAccess, signInFault } from './tunnel.ts';

/** A group of connections that requests share. */
export interface ConnectionPool {
  /** Returns the agent for a request to an address. Throws `ProxyFault`, and `keychain.*` for the password of a proxy. */
  agentFor(url: URL): Promise<Agent>;
  /**
   * Returns the fault of an answer that a proxy gave in the place of the site (407, without encryption); null: it is the answer of
   * the site.
   */
  faultOfAnswer(url: URL, answer: { status: number; headers: IncomingHttpHeaders }): Promise<ProxyFault | null>;
  /** Closes idle connections. */
  closeIdle(): void;
  /** Closes all connections. Requests that follow open new ones. */
  destroy(): void;
  /** Closes all connections at the end of the pool. */
  close(): void;
}

/** The only source of connections: all requests of the engine go through the proxy and the trust of the settings. */
export interface Connections {
  /** Creates a pool. `adapt` changes each of its agents. */
  pool(options?: AgentOptions, adapt?: (agent: Agent) => Agent): ConnectionPool;
  /** Returns host and port of the proxy for an address; null: it is reached directly. */
  proxyFor(url: URL): Promise<string | null>;
}

export interface ConnectionsOptions {
  clock: Clock;
  routes: Routes;
  trust: Trust;
  /** Returns the stored user name and password for a proxy. */
  credentialsFor(proxy: Pick<ProxyServer, 'host' | 'port'>): Promise<Credentials | null>;
}

type NamedProxy = Pick<ProxyServer, 'host' | 'port' | 'credentials'>;

/** How long credentials that a proxy refused are not sent again: many wrong attempts can lock the user's account. */
const REFUSED_MS = 10 * 60_000;

export class NetworkConnections implements Connections {
  readonly #options: ConnectionsOptions;
  /** The agents of all pools are keyed by this number: a change of the settings makes earlier ones unused. */
  #generation = 0;
  readonly #pools = new Set<{ outdate(): void }>();
  /** When a proxy refused which credentials. */
  readonly #refused = new Map<string, { credentials: string; at: number }>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  pool(options: AgentOptions = {}, adapt: (agent: Agent) => Agent = (agent) => agent): ConnectionPool {
    const agents = new Map<string, Agent>();
    const outdated = new Set<Agent>();
    const closeIdle = (agent: Agent) => {
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    };
    const own = {
      outdate() {
        for (const agent of agents.values()) {
          closeIdle(agent);
          // Requests in flight continue, and their connections are closed behind them.
          agent.maxFreeSockets = 0;
          outdated.add(agent);
        }
        agents.clear();
      },
    };
    const destroy = () => {
      for (const agent of [...agents.values(), ...outdated]) agent.destroy();
      outdated.clear();
    };
    this.#pools.add(own);
    return {
      agentFor: async (url: URL) => {
        const access = await this.accessTo(url);
        const isSecure = url.protocol === 'https:';
        const key = JSON.stringify([this.#generation, isSecure, access?.proxy ?? null, access?.credentials ?? null]);
        let agent = agents.get(key);
        if (agent === undefined) {
          agent = adapt(
            isSecure
              ? new SecureAgent(options, this.#options.trust.context(), access)
              : new PlainAgent(options, access),
          );
          agents.set(key, agent);
        }
        return agent;
      },
      faultOfAnswer: (url, { status, headers }) => this.#faultOfAnswer(url, status, headers),
      closeIdle: () => {
        for (const agent of agents.values()) closeIdle(agent);
      },
      destroy,
      close: () => {
        destroy();
        this.#pools.delete(own);
      },
    };
  }

  /** Makes all pools use new connections: the settings, the trust or the network changed. */
  outdate(): void {
    this.#generation += 1;
    this.#refused.clear();
    for (const pool of this.#pools) pool.outdate();
  }

  async #faultOfAnswer(url: URL, status: number, headers: IncomingHttpHeaders): Promise<ProxyFault | null> {
    const access = status !== 407 || url.protocol === 'https:' ? null : await this.accessTo(url);
    if (access === null) return null;
    const offered = headers['proxy-authenticate'];
    const fault = signInFault(offered, nameOfProxy(access.proxy), access.credentials !== null);
    access.onFault(fault);
    return fault;
  }

  async proxyFor(url: URL): Promise<string | null> {
    const route = await this.#options.routes.to(url);
    return route.kind === 'proxy' ? nameOfProxy(route.proxy) : route.kind === 'unsupported' ? route.name : null;
  }

  /** Returns the proxy for an address with the credentials for it; null: the address is reached directly. */
  async accessTo(url: URL): Promise<ProxyAccess | null> {
    const { routes, trust } = this.#options;
    const route = await routes.to(url);
    if (route.kind === 'direct') return null;
    if (route.kind === 'unsupported') throw new ProxyFault('PROXY_UNSUPPORTED', { proxy: route.name });
    const { proxy } = route;
    const credentials = await this.#knownFor(proxy);
    if (this.#isRefused(proxy, credentials)) {
      throw new ProxyFault('PROXY_SIGN_IN', { proxy: nameOfProxy(proxy), status: 407, wasRefused: true });
    }
    return {
      proxy,
      credentials,
      secureContext: () => trust.context(),
      onFault: (fault) => this.#noteRefusal(proxy, credentials, fault),
    };
  }

  /** Returns the credentials to send to a proxy that asks for them; null: none are known, or it has just refused them. */
  async credentialsAt(proxy: NamedProxy): Promise<Credentials | null> {
    const credentials = await this.#knownFor(proxy);
    return this.#isRefused(proxy, credentials) ? null : credentials;
  }

  async #knownFor(proxy: NamedProxy): Promise<Credentials | null> {
    return proxy.credentials ?? (await this.#options.credentialsFor(proxy));
  }

  #isRefused(proxy: NamedProxy, credentials: Credentials | null): boolean {
    const refused = this.#refused.get(nameOfProxy(proxy));
    if (refused === undefined || refused.credentials !== JSON.stringify(credentials)) return false;
    return this.#options.clock.monotonic() - refused.at < REFUSED_MS;
  }

  #noteRefusal(proxy: ProxyServer, credentials: Credentials | null, fault: ProxyFault): void {
    const { routes, clock } = this.#options;
    const name = nameOfProxy(proxy);
    if (fault.code === 'PROXY_UNREACHABLE') routes.noteSilent(name);
    if (fault.code !== 'PROXY_SIGN_IN' || credentials === null) return;
    this.#refused.set(name, { credentials: JSON.stringify(credentials), at: clock.monotonic() });
  }
}

import type { NetworkSettings } from '../../../shared/contract/network.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { BrowserProxy, ProxyResolver } from '../ports/proxy-resolver.ts';
import {
  chooseRoute,
  environmentDefault,
  nameOfProxy,
  type ProxyEnvironment,
  type Route,
  readPacAnswer,
} from './proxy-choice.ts';

/** How long the answer of a PAC script or of the system counts. */
const ANSWER_COUNTS_MS = 60_000;
/** How long a proxy that did not answer is avoided when the answer names another one. */
const AVOIDED_MS = 5 * 60_000;
/** Answers for this many origins are remembered. */
const MAX_ANSWERS = 200;

export interface RoutesOptions {
  clock: Clock;
  logger: Logger;
  environment: ProxyEnvironment;
  /** null: nothing evaluates PAC scripts here. */
  resolver: ProxyResolver | null;
  settings(): NetworkSettings;
}

/** Decides how addresses are reached. */
export class Routes {
  readonly #options: RoutesOptions;
  readonly #answers = new Map<string, { answer: Promise<string>; at: number }>();
  readonly #silent = new Map<string, number>();

  constructor(options: RoutesOptions) {
    this.#options = options;
  }

  /** Returns the route to an address. */
  async to(url: URL): Promise<Route> {
    const { settings, environment, resolver } = this.#options;
    const route = chooseRoute(url, settings(), environment, resolver !== null);
    if (route.kind !== 'ask' || resolver === null) return route.kind === 'ask' ? { kind: 'direct' } : route;
    return readPacAnswer(await this.#ask(url, resolver), (proxy) => !this.#isSilent(nameOfProxy(proxy)));
  }

  /** Notes that a proxy did not answer. */
  noteSilent(proxy: string): void {
    this.#silent.set(proxy, this.#options.clock.monotonic());
  }

  /** Forgets all answers: the settings or the network changed. */
  reset(): void {
    this.#answers.clear();
    this.#silent.clear();
  }

  /** Returns the settings of a browser component that reaches addresses in the same way. */
  forBrowser(): BrowserProxy {
    const { settings, environment, resolver } = this.#options;
    const { proxyMode, proxy, proxyExceptions, pacAddress } = settings();
    if (proxyMode === 'none') return { kind: 'direct' };
    if (proxyMode === 'manual') {
      const fixed = { kind: 'fixed', proxy: `http://${proxy}`, exceptions: proxyExceptions } as const;
      return proxy === '' ? { kind: 'direct' } : fixed;
    }
    if (proxyMode === 'pac' && pacAddress !== '' && resolver !== null) return { kind: 'pac', address: pacAddress };
    const route = environmentDefault(environment);
    if (route.kind !== 'proxy') return { kind: 'system' };
    const scheme = route.proxy.isEncrypted ? 'https' : 'http';
    const exceptions = environment.no_proxy || environment.NO_PROXY || '';
    return { kind: 'fixed', proxy: `${scheme}://${nameOfProxy(route.proxy)}`, exceptions };
  }

  #isSilent(proxy: string): boolean {
    const at = this.#silent.get(proxy);
    return at !== undefined && this.#options.clock.monotonic() - at < AVOIDED_MS;
  }

  #ask(url: URL, resolver: ProxyResolver): Promise<string> {
    const now = this.#options.clock.monotonic();
    const known = this.#answers.get(url.origin);
    if (known !== undefined && now - known.at < ANSWER_COUNTS_MS) return known.answer;
    const { settings, logger } = this.#options;
    const { proxyMode, pacAddress } = settings();
    const from: BrowserProxy = proxyMode === 'pac' ? { kind: 'pac', address: pacAddress } : { kind: 'system' };
    // The path is not given to the script: addresses of files are secret.
    const answer = resolver.resolve(new URL(url.origin), from).catch((error: unknown) => {
      // As in browsers: without an answer, the address is reached directly.
      logger.warn('network.proxy-not-resolved', { origin: url.origin, reason: String(error) });
      return 'DIRECT';
    });
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear();
    this.#answers.set(url.origin, { answer, at: now });
    return answer;
  }
}

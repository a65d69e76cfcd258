import type { Finding } from '../../../shared/contract/doctor.ts';
import type { NetworkState } from '../../../shared/contract/network.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { createTransport, WireError } from '../api/transport.ts';
import type { Network } from '../network/settings/create-network.ts';
import { counted, fine, problem, warning } from './findings.ts';

export interface NetworkCheckTools {
  network: Pick<Network, 'connections' | 'direct' | 'state' | 'systemSource'>;
  sites: readonly Site[];
  /** Epoch ms. */
  now: number;
}

const PAC_TIMEOUT_MS = 15_000;
/** A certificate that ends within this time is reported. */
const SOON_MS = 30 * 86_400_000;

/** Reports how the libraries are reached and whom Mediadesk trusts, and what of it can't work. Loads the PAC script. */
export async function checkNetwork(tools: NetworkCheckTools): Promise<Finding[]> {
  const state = tools.network.state();
  return [
    ...(await routes(tools)),
    ...trusted(state, tools.network.systemSource()),
    ...ending(state, tools.now),
    ...(state.settings.proxyMode === 'pac' ? [await pacScript(state, tools.network.direct)] : []),
  ];
}

async function routes({ network, sites }: NetworkCheckTools): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const baseUrl of new Set(sites.map((site) => site.baseUrl))) {
    const proxy = await network.connections.proxyFor(new URL(baseUrl));
    const way = proxy === null ? 'directly, without a proxy' : `through the proxy ${proxy}`;
    const message = `${baseUrl}: Mediadesk connects ${way}.`;
    findings.push(fine({ code: 'network.route', message, details: { site: baseUrl, proxy } }));
  }
  return findings;
}

function trusted({ certificates }: NetworkState, source: string | null): Finding[] {
  const own = certificates.length === 0 ? '' : `, and ${counted(certificates.length, 'imported one', 'imported ones')}`;
  const details = { source, imported: certificates.map(({ subject, fingerprint }) => ({ subject, fingerprint })) };
  if (source === null) {
    const message = `Mediadesk trusts the certificate authorities that it brings${own}. It found none of this system.`;
    return [fine({ code: 'network.trust', message, details })];
  }
  const where = source === 'system' ? 'of this system' : `of this system (${source})`;
  return [
    fine({ code: 'network.trust', message: `Mediadesk trusts the certificate authorities ${where}${own}.`, details }),
  ];
}

function ending({ certificates }: NetworkState, now: number): Finding[] {
  return certificates
    .filter(({ expiresAt }) => expiresAt < now + SOON_MS)
    .map(({ subject, fingerprint, expiresAt }) => {
      const message =
        expiresAt <= now
          ? `The imported certificate of ${subject} has expired.`
          : `The imported certificate of ${subject} expires soon.`;
      const nextStep = 'Ask your administrator for the new certificate of the authority, and import it.';
      const details = { fingerprint, expiresAt: new Date(expiresAt).toISOString() };
      return warning({ code: 'network.certificate-expires', message, nextStep, details });
    });
}

async function pacScript({ settings, evaluatesPac }: NetworkState, direct: Network['direct']): Promise<Finding> {
  const { pacAddress } = settings;
  const details = { address: pacAddress };
  if (!evaluatesPac) {
    const message =
      'The command line doesn’t evaluate the PAC script. It uses the proxy of the environment variables, or connects directly.';
    const nextStep = 'Set HTTPS_PROXY, or enter the proxy with “mediadesk settings proxy-mode=manual proxy=HOST:PORT”.';
    return warning({ code: 'network.pac-not-used', message, nextStep, details });
  }
  const nextStep =
    'Check the address of the script in Settings, under Network. Without it, Mediadesk connects directly.';
  const failed = (message: string, reason: string | number) =>
    problem({ code: 'network.pac-unusable', message, nextStep, details: { ...details, reason } });
  const transport = createTransport(direct);
  try {
    const url = new URL(pacAddress);
    const asked = { method: 'GET', url, headers: {}, body: null, timeoutMs: PAC_TIMEOUT_MS } as const;
    const { status, body } = await transport.exchange(asked);
    if (status !== 200)
      return failed(`The PAC script can’t be loaded: ${pacAddress} answers with status ${status}.`, status);
    if (!body.includes('FindProxyForURL'))
      return failed(`The file at ${pacAddress} isn’t a PAC script.`, 'no function');
    return fine({ code: 'network.pac', message: `The PAC script at ${pacAddress} can be loaded.`, details });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return failed(`The PAC script can’t be loaded: ${pacAddress} doesn’t answer (${error.code}).`, error.code);
  } finally {
    transport.close();
  }
}

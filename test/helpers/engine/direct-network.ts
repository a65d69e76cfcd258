// The network of tests that need no proxy and no imported certificate.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Connections, NetworkConnections } from '../../../electron/engine/network/connections.ts';
import { Routes } from '../../../electron/engine/network/routes.ts';
import { Trust } from '../../../electron/engine/network/trust.ts';
import type { BrowserNetwork } from '../../../electron/engine/ports/browser-opener.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { readSystemCertificates } from '../../../electron/engine/ports/system/system-certificates.ts';
import type { SenderConnections } from '../../../electron/engine/uploads/delivery/sender/send-options.ts';
import { DEFAULT_NETWORK } from '../../../shared/model/default-network.ts';

/** Direct connections that trust what the computer trusts. */
export function directConnections(): Connections {
  const routes = new Routes({
    clock: nodeClock,
    logger: silentLogger,
    environment: {},
    resolver: null,
    settings: () => DEFAULT_NETWORK,
  });
  const trust = new Trust(
    () => readSystemCertificates(process.platform, {}),
    () => [],
  );
  return new NetworkConnections({ clock: nodeClock, routes, trust, credentialsFor: async () => null });
}

/** A window that opens pages directly. */
export const DIRECT_BROWSER: BrowserNetwork = {
  proxy: () => ({ kind: 'direct' }),
  credentialsFor: async () => null,
  trusts: async () => false,
};

/** The connections of a sender: an agent of the test for all forms, except those that a redirect sends elsewhere. */
export function senderConnections(agent?: HttpAgent): SenderConnections {
  const faultOfAnswer = async () => null;
  const fresh = async ({ protocol }: URL) => (protocol === 'https:' ? new HttpsAgent() : new HttpAgent());
  return {
    kept: { agentFor: async (url) => agent ?? fresh(url), faultOfAnswer },
    fresh: { agentFor: fresh, faultOfAnswer },
  };
}

import { onTestFinished } from 'vitest';
import { type EpochGuard, NO_EPOCH_GUARD } from '../../../../electron/engine/api/epoch-guard.ts';
import { createSiteClient, type SiteClient, type TokenSource } from '../../../../electron/engine/api/http-client.ts';
import { type Logger, silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { directConnections } from '../../../helpers/engine/direct-network.ts';

const fixedToken: TokenSource = { accessToken: async () => 'token-1', renew: async () => 'token-2' };

/** Creates a client for one test. */
export function clientOf(
  baseUrl: string,
  {
    tokens = fixedToken,
    logger = silentLogger,
    epochs = NO_EPOCH_GUARD,
  }: { tokens?: TokenSource; logger?: Logger; epochs?: EpochGuard } = {},
): SiteClient {
  const client = createSiteClient({
    baseUrl,
    tokens,
    clock: nodeClock,
    logger,
    userAgent: 'Mediadesk/test',
    connections: directConnections(),
    epochs,
  });
  onTestFinished(() => client.close());
  return client;
}

import { AppError } from '../../shared/contract/app-error.ts';
import type { EngineCallName } from '../../shared/contract/contract.ts';
import { recognizeLibrary } from './account/recognize-library.ts';
import { parseSiteAddress } from './account/site-address.ts';
import { createTransport } from './api/transport.ts';
import type { Handlers } from './common/handlers.ts';
import type { EngineBase } from './engine-base.ts';
import { MAX_FILE_BYTES } from './network/certificates.ts';

/** Returns the calls about proxies and trusted certificates. */
export function networkHandlers({
  network,
  files,
  userAgent,
}: Pick<EngineBase, 'network' | 'files' | 'userAgent'>): Pick<Handlers, Extract<EngineCallName, `network.${string}`>> {
  /** Returns why the library at an address does not answer; null when it does. */
  const problemOf = async (baseUrl: string) => {
    const transport = createTransport(network.connections);
    try {
      await recognizeLibrary({ transport, userAgent }, baseUrl);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.toData();
      throw error;
    } finally {
      transport.close();
    }
  };
  return {
    'network.get': async () => network.state(),
    'network.set': (change) => network.set(change),
    async 'network.importCertificates'({ path }) {
      const file = await files.open(path);
      try {
        // One byte more than allowed shows that the file is too large.
        const bytes = Buffer.alloc(Math.min((await file.facts()).sizeBytes, MAX_FILE_BYTES + 1));
        const length = await file.read(bytes, 0, bytes.length, 0);
        return network.importCertificates(bytes.subarray(0, length));
      } finally {
        await file.close();
      }
    },
    'network.removeCertificate': async ({ fingerprint }) => network.removeCertificate(fingerprint),
    async 'network.test'({ baseUrl: typed }) {
      const baseUrl = parseSiteAddress(typed);
      const problem = await problemOf(baseUrl);
      return { proxy: await network.connections.proxyFor(new URL(baseUrl)), problem };
    },
  };
}

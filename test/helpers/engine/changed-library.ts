// A desk whose library behaves differently: a proxy in front of the real service changes requests and replies.

import { clientFor, type ServiceClient } from '../service/service-client.ts';
import { startService } from '../service/service-process.ts';
import { fastClock } from '../time/fast-clock.ts';
import { type ChangingProxy, startChangingProxy } from '../wire/changing-proxy.ts';
import { Desk } from './desk.ts';
import { makeCollection } from './engine-host.ts';

export interface ChangedLibrary {
  readonly proxy: ChangingProxy;
  /** Signed in through the proxy, with its uploads started. Its collection is that of the current case. */
  readonly desk: Desk;
  /** Sends a request to the service directly, without the proxy. */
  readonly client: ServiceClient;
  /** The number of the current case, from 1. */
  readonly count: number;
  /** Begins a case: the proxy changes nothing, and the desk has a new collection. */
  nextCase(): Promise<void>;
  close(): Promise<void>;
}

/** One service, proxy and desk for a file with many cases. The engine's clock runs `speed` times as fast as the real one. */
export async function openChangedLibrary(speed: number): Promise<ChangedLibrary> {
  const service = await startService();
  // The files are not real recordings; the service accepts any bytes.
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  const proxy = await startChangingProxy(service.baseUrl);
  const clock = fastClock(1);
  const desk = await Desk.open(service, { clock }, { ...service, baseUrl: proxy.baseUrl });
  clock.setSpeed(speed);
  const client = await clientFor(service);
  desk.engine.startUploads();
  let count = 0;
  return {
    proxy,
    desk,
    client,
    get count() {
      return count;
    },
    async nextCase() {
      proxy.change({});
      count += 1;
      desk.collectionId = await makeCollection(desk.engine, desk.siteId, `Case ${count}`);
    },
    async close() {
      await desk.close();
      await proxy.close();
      await service.stop();
    },
  };
}

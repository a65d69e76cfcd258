// Runs once before the tests (`globalSetup`): with `MEDIADESK_TEST_STORE=ceph`, starts a gateway of Ceph for the content of all
// services that tests start.
import { CEPH } from './destinations/ceph.ts';

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.MEDIADESK_TEST_STORE !== 'ceph') return undefined;
  const store = await CEPH.start({});
  process.env.MEDIADESK_TEST_STORE = JSON.stringify(store.s3);
  return () => store.close();
}

import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallInput, CallOutput } from '../../../../shared/contract/contract.ts';
import type { NetworkState } from '../../../../shared/contract/network.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';

interface NetworkStore {
  /** null until it is loaded. */
  network: NetworkState | null;
  /** Why it could not be loaded. */
  error: AppErrorData | null;
  /** The result of the last test; null: none yet, or the settings changed since. */
  tested: CallOutput<'network.test'> | null;
  isTesting: boolean;
}

export const useNetwork = create<NetworkStore>(() => ({ network: null, error: null, tested: null, isTesting: false }));

const tests = latestOnly();

export async function loadNetwork(): Promise<void> {
  try {
    useNetwork.setState({ network: await call('network.get', null), error: null });
  } catch (thrown) {
    useNetwork.setState({ error: toErrorData(thrown) });
  }
}

function take(network: NetworkState): void {
  tests.cancel();
  useNetwork.setState({ network, tested: null, isTesting: false });
}

/** Changes settings. Throws the error of the call. */
export async function saveNetwork(change: CallInput<'network.set'>): Promise<void> {
  take(await call('network.set', change));
}

/** Lets the user choose a file and trusts its authorities. Returns false when the user cancels. Throws the error of the call. */
export async function importCertificates(): Promise<boolean> {
  const { path } = await call('shell.chooseCertificate', null);
  if (path === null) return false;
  take(await call('network.importCertificates', { path }));
  return true;
}

/** Throws the error of the call. */
export async function removeCertificate(fingerprint: string): Promise<void> {
  take(await call('network.removeCertificate', { fingerprint }));
}

/** Connects to a library and stores the result. */
export async function testConnection(baseUrl: string): Promise<void> {
  const test = tests.begin();
  useNetwork.setState({ isTesting: true, tested: null });
  const store = (tested: CallOutput<'network.test'>) => {
    if (test.accept()) useNetwork.setState({ isTesting: false, tested });
  };
  try {
    store(await call('network.test', { baseUrl }));
  } catch (thrown) {
    store({ proxy: null, problem: toErrorData(thrown) });
  }
}

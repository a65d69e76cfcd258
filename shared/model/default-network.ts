import type { NetworkSettings } from '../contract/network.ts';

/** The network settings of a new profile. */
export const DEFAULT_NETWORK: NetworkSettings = {
  proxyMode: 'system',
  proxy: '',
  proxyUser: '',
  proxyExceptions: '',
  pacAddress: '',
};

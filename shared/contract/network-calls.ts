import { z } from 'zod';
import { appErrorSchema } from './app-error.ts';
import { networkRouteSchema, networkSettingsSchema, networkStateSchema } from './network.ts';

const nothing = z.null();

/** The part of the contract that is about proxies and trusted certificates. */
export const NETWORK_CALLS = {
  'network.get': { input: nothing, output: networkStateSchema },
  /**
   * Changes settings. New connections use them immediately; transfers that run continue. `password`: that of `proxyUser` at the
   * proxy, for the keychain; null deletes it, and without it the stored one stays. Throws `input.invalid` and `keychain.*`.
   */
  'network.set': {
    input: z.object({ patch: networkSettingsSchema.partial(), password: z.string().max(1000).nullable().optional() }),
    output: networkStateSchema,
  },
  /** Trusts the certificate authorities of a PEM file. Throws `network.certificate-refused` without changing anything. */
  'network.importCertificates': { input: z.object({ path: z.string().min(1) }), output: networkStateSchema },
  /** No longer trusts an imported authority. */
  'network.removeCertificate': { input: z.object({ fingerprint: z.string().max(100) }), output: networkStateSchema },
  /**
   * Connects to a library without a sign-in. `problem`: why that fails. Throws `site.address-invalid` and
   * `site.address-insecure`.
   */
  'network.test': {
    input: z.object({ baseUrl: z.string().max(2000) }),
    output: networkRouteSchema.extend({ problem: appErrorSchema.nullable() }),
  },
} as const;

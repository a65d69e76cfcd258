import { z } from 'zod';
import { isPacAddress, PROXY_MODES, readProxyAddress } from '../model/proxy-address.ts';

const pacAddress = z
  .string()
  .max(2000)
  .refine((text) => text === '' || isPacAddress(text), 'a web address');

export const networkSettingsSchema = z.object({
  /**
   * `system`: the environment, otherwise (in the window) the settings of the system; `none`: no proxy; `manual`: `proxy`; `pac`:
   * the script at `pacAddress`, which only the window evaluates.
   */
  proxyMode: z.enum(PROXY_MODES),
  /** Host and port, such as `proxy.example.org:3128`; empty: none. */
  proxy: z
    .string()
    .max(300)
    .refine(
      (text) => text === '' || readProxyAddress(text) !== null,
      'a host and a port such as proxy.example.org:3128',
    ),
  /** The user name at the proxy; its password is in the keychain. Empty: no sign-in. */
  proxyUser: z.string().max(256),
  /** Hosts that are reached without `proxy`, separated by commas. Names also stand for those below them. */
  proxyExceptions: z.string().max(4000),
  pacAddress,
});
export type NetworkSettings = z.output<typeof networkSettingsSchema>;

const certificateSchema = z.object({
  /** The subject on one line, such as `Example University CA, Example University`. */
  subject: z.string(),
  /** SHA-256 of the certificate: 32 pairs of hexadecimal digits, separated by colons. */
  fingerprint: z.string(),
  /** Epoch ms. */
  expiresAt: z.number(),
});
export type TrustedCertificate = z.output<typeof certificateSchema>;

export const networkStateSchema = z.object({
  settings: networkSettingsSchema,
  /** Whether a password for `proxyUser` is in the keychain. */
  hasPassword: z.boolean(),
  /** Whether this process evaluates PAC scripts and reads the proxy settings of the system; the command line doesn't. */
  evaluatesPac: z.boolean(),
  /** The proxy that the environment names for https addresses, without its user; null: none. */
  environmentProxy: z.string().nullable(),
  certificates: z.array(certificateSchema),
});
export type NetworkState = z.output<typeof networkStateSchema>;

/** How one address is reached. */
export const networkRouteSchema = z.object({
  /** Host and port of the proxy; null: directly. */
  proxy: z.string().nullable(),
});

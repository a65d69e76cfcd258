import { z } from 'zod';
import { appError } from '../../../../shared/contract/app-error.ts';
import { type NetworkSettings, type NetworkState, networkSettingsSchema } from '../../../../shared/contract/network.ts';
import { DEFAULT_NETWORK } from '../../../../shared/model/default-network.ts';
import { readProxyAddress } from '../../../../shared/model/proxy-address.ts';
import { Emitter } from '../../common/emitter.ts';
import type { BrowserNetwork } from '../../ports/browser-opener.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Keychain } from '../../ports/keychain.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProxyResolver } from '../../ports/proxy-resolver.ts';
import type { SystemCertificates } from '../../ports/system/system-certificates.ts';
import { type SettingTexts, StoredSettings } from '../../store/stored-settings.ts';
import { describeCertificate, importedCertificateSchema, readAuthorities, withAuthorities } from '../certificates.ts';
import { type Connections, NetworkConnections } from '../connections.ts';
import { environmentDefault, environmentProxy, nameOfProxy, type ProxyEnvironment } from '../proxy-choice.ts';
import { trustedFingerprint } from '../routed-agents.ts';
import { Routes } from '../routes.ts';
import { Trust } from '../trust.ts';
import { ProxyPassword } from './proxy-password.ts';

const SETTINGS = 'network';
const CERTIFICATES = 'network-certificates';
/** For which proxy and user the keychain has a password, so that a list of settings doesn't open the keychain. */
const PASSWORD_FOR = 'network-password-for';
const passwordForSchema = z.object({ proxy: z.string(), user: z.string() });

export interface NetworkOptions {
  texts: SettingTexts;
  keychain: Keychain;
  clock: Clock;
  logger: Logger;
  environment: ProxyEnvironment;
  resolver: ProxyResolver | null;
  readSystem(): SystemCertificates;
}

/** The changes that a caller wants; see the call `network.set`. */
interface NetworkChange {
  patch: Partial<NetworkSettings>;
  password?: string | null | undefined;
}

/** The way to the libraries: proxy and trusted certificates. All connections of the engine come from here. */
export interface Network {
  connections: Connections;
  /** Connections that use no proxy, with the same trust: for the PAC script itself. */
  direct: Connections;
  /** What a window for sign-ins needs to reach the library in the same way. */
  browser: BrowserNetwork;
  state(): NetworkState;
  /** Throws `input.invalid` and `keychain.*` without changing a setting. */
  set(change: NetworkChange): Promise<NetworkState>;
  /** Trusts the authorities of a file. Throws `network.certificate-refused`. */
  importCertificates(bytes: Uint8Array): NetworkState;
  removeCertificate(fingerprint: string): NetworkState;
  /** Where the trusted authorities of the system are from; null: none were found. */
  systemSource(): string | null;
  /** Settings or trust changed: waiting work may try again. */
  onDidChange(listener: () => void): () => void;
  /** The computer may be on another network: answers of the system and of PAC scripts no longer count. */
  comeBack(): Promise<void>;
}

/** Creates the network of an engine. Nothing is read from the keychain before a proxy needs it. */
export function createNetwork(options: NetworkOptions): Network {
  const { texts, keychain, clock, logger, environment, resolver, readSystem } = options;
  const stored = new StoredSettings(texts, logger);
  const password = new ProxyPassword(keychain);
  const changed = new Emitter<null>();
  let settings: NetworkSettings = { ...DEFAULT_NETWORK, ...stored.object(SETTINGS, networkSettingsSchema) };
  const imported = () => stored.list(CERTIFICATES, importedCertificateSchema) ?? [];
  const trust = new Trust(readSystem, () => imported().map(({ pem }) => pem));
  const routes = new Routes({ clock, logger, environment, resolver, settings: () => settings });
  const ownProxy = () => {
    const address = readProxyAddress(settings.proxy);
    return address === null ? null : nameOfProxy(address);
  };
  const credentialsFor = async (name: string) => (name === ownProxy() ? password.get(name, settings.proxyUser) : null);
  const connections = new NetworkConnections({
    clock,
    routes,
    trust,
    credentialsFor: (proxy) => credentialsFor(nameOfProxy(proxy)),
  });

  const applied = () => {
    routes.reset();
    trust.reset();
    connections.outdate();
    changed.emit(null);
    return state();
  };
  /** For any proxy and user. The keychain is not opened: a computer without one can use a proxy that asks for no sign-in. */
  const isPasswordStored = () => (stored.object(PASSWORD_FOR, passwordForSchema).user ?? '') !== '';
  const hasPassword = () => {
    const { proxy, user } = stored.object(PASSWORD_FOR, passwordForSchema);
    return isPasswordStored() && proxy === ownProxy() && user === settings.proxyUser;
  };
  const state = (): NetworkState => ({
    settings,
    hasPassword: hasPassword(),
    evaluatesPac: resolver !== null,
    environmentProxy: environmentProxy(environment),
    certificates: imported().map(describeCertificate),
  });

  const noProxy: NetworkSettings = { ...DEFAULT_NETWORK, proxyMode: 'none' };
  const direct = new NetworkConnections({
    clock,
    trust,
    routes: new Routes({ clock, logger, environment: {}, resolver: null, settings: () => noProxy }),
    credentialsFor: async () => null,
  });

  return {
    connections,
    direct,
    state,

    async set({ patch, password: secret }) {
      const checked = networkSettingsSchema.safeParse({ ...settings, ...patch });
      if (!checked.success) {
        const issues = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
        throw appError('input.invalid', { details: { issues } });
      }
      const next = checked.data;
      const address = readProxyAddress(next.proxy);
      if (secret !== undefined && secret !== null) {
        if (address === null || next.proxyUser === '') {
          throw appError('input.invalid', { message: 'A password needs a proxy and a user name.' });
        }
        await password.set(nameOfProxy(address), { user: next.proxyUser, password: secret });
        stored.setObject(PASSWORD_FOR, { proxy: nameOfProxy(address), user: next.proxyUser });
      } else if (secret === null && isPasswordStored()) {
        await password.delete();
        stored.setObject(PASSWORD_FOR, { proxy: '', user: '' });
      }
      const members = Object.entries(next).filter(([name]) => Object.hasOwn(patch, name));
      stored.setObject(SETTINGS, Object.fromEntries(members));
      settings = next;
      return applied();
    },

    importCertificates(bytes) {
      const read = readAuthorities(bytes, clock.now());
      stored.setList(CERTIFICATES, importedCertificateSchema, withAuthorities(imported(), read));
      logger.info('network.certificates-imported', { fingerprints: read.map(({ id }) => id) });
      return applied();
    },

    removeCertificate(fingerprint) {
      const left = imported().filter(({ id }) => id !== fingerprint);
      stored.setList(CERTIFICATES, importedCertificateSchema, left);
      logger.info('network.certificate-removed', { fingerprint });
      return applied();
    },

    browser: {
      proxy: () => routes.forBrowser(),
      async credentialsFor(host, port) {
        const named = settings.proxyMode === 'system' ? environmentDefault(environment) : null;
        const isNamed = named?.kind === 'proxy' && named.proxy.host === host && named.proxy.port === port;
        return connections.credentialsAt({ host, port, credentials: isNamed ? named.proxy.credentials : null });
      },
      async trusts(url, fingerprint) {
        const actual = await trustedFingerprint(url, trust.context(), await connections.accessTo(url)).catch(
          () => null,
        );
        return actual === fingerprint;
      },
    },

    systemSource: () => readSystem().source,
    onDidChange: (listener) => changed.on(listener),

    async comeBack() {
      await resolver?.reload();
      routes.reset();
    },
  };
}

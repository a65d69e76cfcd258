// A library inside of an institution: its certificate is from a private authority, and only a proxy finds it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, EngineHost } from '../../../electron/engine/engine.ts';
import type { NetworkSettings } from '../../../shared/contract/network.ts';
import { type ServiceProcess, startService } from '../service/service-process.ts';
import { type Authority, createAuthority } from '../wire/authority.ts';
import { type ForwardProxy, startForwardProxy } from '../wire/forward-proxy.ts';
import { startWireProxy, type WireProxy } from '../wire/wire-proxy.ts';
import { createTestProfile, signingInAs, type TestProfile } from './engine-host.ts';

/** The name of the library. Only the proxy finds it. */
export const LIBRARY_NAME = 'library.test';

export interface Institution {
  service: ServiceProcess;
  authority: Authority;
  /** The service behind TLS. */
  front: WireProxy;
  proxy: ForwardProxy;
  /** A profile whose sign-in pages are opened by a user with a browser of the institution. */
  profile(): TestProfile;
  /** Opens an engine whose environment names no proxy. */
  open(profile: TestProfile, changes?: Partial<EngineHost>): Promise<Engine>;
  /** The settings of the proxy. */
  manual: Partial<NetworkSettings>;
  /** What a sign-in needs. */
  input: { baseUrl: string; clientId: string; browser: 'embedded' };
  /** Writes a file into a folder of the institution. */
  put(name: string, contents: string): string;
  close(): Promise<void>;
}

/** Starts the service, its front with a certificate, and the proxy. */
export async function openInstitution(name = LIBRARY_NAME): Promise<Institution> {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-institution-'));
  const service = await startService();
  const authority = createAuthority('Example University CA');
  const front = await startWireProxy(service.baseUrl, { tls: authority.issue(name), host: name });
  const proxy = await startForwardProxy({}, true);
  const profiles: TestProfile[] = [];
  return {
    service,
    authority,
    front,
    proxy,
    profile() {
      const profile = createTestProfile(service);
      profiles.push(profile);
      return profile;
    },
    open: (profile, changes = {}) => {
      const user = signingInAs(service);
      const embedded: typeof user = {
        open: (url, events, network) => user.open(url.replace(front.baseUrl, service.baseUrl), events, network),
      };
      return profile.open({ environment: {}, openers: { embedded, system: embedded }, ...changes });
    },
    get manual() {
      return { proxyMode: 'manual', proxy: proxy.name } as const;
    },
    get input() {
      return { baseUrl: front.baseUrl, clientId: service.clientId, browser: 'embedded' } as const;
    },
    put(file, contents) {
      const path = join(folder, file);
      writeFileSync(path, contents);
      return path;
    },
    async close() {
      await proxy.close();
      await front.close();
      await service.stop();
      authority.remove();
      for (const profile of profiles) profile.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The private folders and the environment of a desktop session.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SessionFolders {
  root: string;
  /** The X authority file: one cookie that is valid for any display. */
  authority: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Returns an X authority entry of family "wild", so that it is valid for whatever display number the server chooses. Numbers are
 * 16-bit big-endian lengths: family, address, display number, name, data.
 */
function wildcardAuthority(cookie: Buffer): Buffer {
  const field = (bytes: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const nothing = Buffer.alloc(0);
  const family = Buffer.from([0xff, 0xff]);
  return Buffer.concat([
    family,
    field(nothing),
    field(nothing),
    field(Buffer.from('MIT-MAGIC-COOKIE-1')),
    field(cookie),
  ]);
}

/**
 * Creates fresh home, data, config and runtime folders. The caches stay the user's own: the Electron runtime and npm's
 * store are there, and a cache holds nothing that a test could disturb. The variables of a real desktop are removed so
 * that nothing can reach the user's screen, bus or keychain by accident.
 */
export async function createSessionFolders(outer: NodeJS.ProcessEnv): Promise<SessionFolders> {
  const root = await mkdtemp(join(tmpdir(), 'mediadesk-desktop-'));
  const folder = async (name: string) => {
    const path = join(root, name);
    await mkdir(path, { mode: 0o700 });
    return path;
  };
  const authority = join(root, 'authority');
  await writeFile(authority, wildcardAuthority(randomBytes(16)), { mode: 0o600 });
  const home = outer.HOME ?? homedir();
  const {
    WAYLAND_DISPLAY: _wayland,
    GNOME_KEYRING_CONTROL: _keyring,
    SSH_AUTH_SOCK: _agent,
    DBUS_SESSION_BUS_ADDRESS: _bus,
    DISPLAY: _display,
    ...inherited
  } = outer;
  return {
    root,
    authority,
    env: {
      ...inherited,
      HOME: await folder('home'),
      XDG_DATA_HOME: await folder('data'),
      XDG_CONFIG_HOME: await folder('config'),
      XDG_STATE_HOME: await folder('state'),
      XDG_RUNTIME_DIR: await folder('run'),
      XDG_CACHE_HOME: outer.XDG_CACHE_HOME ?? join(home, '.cache'),
      npm_config_userconfig: outer.npm_config_userconfig ?? join(home, '.npmrc'),
      npm_config_cache: outer.npm_config_cache ?? join(home, '.npm'),
      XAUTHORITY: authority,
      XDG_SESSION_TYPE: 'x11',
      // Neither portals nor the accessibility bus exist in this desktop; searching for them takes seconds.
      GTK_USE_PORTAL: '0',
      NO_AT_BRIDGE: '1',
      GSETTINGS_BACKEND: 'memory',
    },
  };
}

// The set-up of most end-to-end tests: a real service with its contents, and the real app signed in to it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { whenReady, whenSignedIn } from '../../../build/demo/window-steps.ts';
import { clientFor, type ServiceClient } from '../service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../service/service-process.ts';
import { type DesktopApp, type LaunchOptions, launchApp } from './desktop-app.ts';
import { signIn } from './desktop-sign-in.ts';

/** How long Playwright waits for an element. A limit for hangs: no test depends on the speed of the machine. */
const HANG_MS = 60_000;

/** What exists before the app starts. */
export interface TestLibrary {
  /** A temporary folder for the files of the test; it contains the profile of the app. */
  folder: string;
  service: ServiceProcess;
  /** The API as the administrator, without the app. */
  direct: ServiceClient;
}

interface TestWindow {
  desktop: DesktopApp;
  page: Page;
}

export interface SignedInApp extends TestLibrary, TestWindow {
  /** Closes the app, if it runs, and starts it with its profile; resolves with the new window after `whenShown`. */
  reopen(whenShown?: (page: Page) => Promise<void>): Promise<TestWindow>;
  /** Ends the app and the service, and removes the folder. */
  close(): Promise<void>;
}

export interface SignedInOptions {
  service?: ServiceStart;
  /** Fills the library (and the folder) before the app starts. */
  prepare?: (library: TestLibrary) => Promise<unknown>;
  /** 1280 × 800 by default. The address of the library is preset in the sign-in form. */
  launch?: Omit<LaunchOptions, 'profileDir'>;
  /** Returns the address at which the app finds the library, such as that of a relay; by default the service's own. */
  site?: (library: TestLibrary) => Promise<string>;
  /** Runs when the window is ready, before the sign-in. */
  beforeSignIn?: (window: TestWindow) => Promise<void>;
  /** False: the app shows the sign-in form. */
  signIn?: boolean;
  /** The email address of the account that signs in; by default the administrator. Its password is the administrator's. */
  account?: string;
}

/** Starts a service and the app, and signs in. */
export async function openSignedInApp(options: SignedInOptions = {}): Promise<SignedInApp> {
  const folder = await mkdtemp(join(tmpdir(), 'mediadesk-window-'));
  let service: ServiceProcess | undefined;
  let window: TestWindow | undefined;
  const close = async () => {
    await window?.desktop.close();
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const started = await startService(options.service);
    service = started;
    const direct = await clientFor(started);
    const library = { folder, service: started, direct };
    await options.prepare?.(library);
    const baseUrl = (await options.site?.(library)) ?? started.baseUrl;
    const open = async (): Promise<TestWindow> => {
      const desktop = await launchApp({
        size: { width: 1280, height: 800 },
        ...options.launch,
        profileDir: join(folder, 'profile'),
        env: { MEDIADESK_SITE: baseUrl, MEDIADESK_CLIENT_ID: started.clientId, ...options.launch?.env },
      });
      const page = desktop.window;
      page.setDefaultTimeout(HANG_MS);
      window = { desktop, page };
      await whenReady(page);
      return window;
    };
    const reopen = async (whenShown = whenSignedIn): Promise<TestWindow> => {
      await window?.desktop.close();
      const again = await open();
      await whenShown(again.page);
      return again;
    };
    const first = await open();
    await options.beforeSignIn?.(first);
    if (options.signIn !== false) {
      const { clientId, admin } = started;
      const account = { ...admin, email_address: options.account ?? admin.email_address };
      await signIn(first.desktop, { baseUrl, clientId, admin: account });
      await whenSignedIn(first.page);
    }
    return { ...library, ...first, reopen, close };
  } catch (error) {
    await close();
    throw error;
  }
}

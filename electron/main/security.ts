import { app, type Session, type WebContents } from 'electron';
import { forbidDictionaries } from './spelling.ts';

/** Returns whether a page may navigate to an address. */
export type NavigationPolicy = (address: string, isMainFrame: boolean) => boolean;

const policies = new WeakMap<WebContents, NavigationPolicy>();

/** Allows a page to navigate by a policy. Without a policy a page can only reload: our own screens keep their address. */
export function allowNavigation(contents: WebContents, policy: NavigationPolicy): void {
  policies.set(contents, policy);
}

/** The addresses of our own screens. */
const OWN_PAGES = 'app://mediadesk/';

/** The viewer of PDFs, a part of Chromium. It runs in separate contents, and loads the document into a frame of itself. */
const PDF_VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';

/**
 * Returns whether the viewer of PDFs loads its own document. No window can navigate to the viewer, so only it has this address.
 */
function isViewersOwn(contents: WebContents, target: string, isMainFrame: boolean): boolean {
  return !isMainFrame && contents.getURL().startsWith(PDF_VIEWER) && target.startsWith(PDF_VIEWER);
}

/** Returns whether one of our own screens loads its own address again, as after a fault in a view. */
function isReload(contents: WebContents, target: string, isMainFrame: boolean): boolean {
  return isMainFrame && target.startsWith(OWN_PAGES) && target === contents.getURL();
}

function lockContents(contents: WebContents, onRefused: (what: string, address: string) => void): void {
  const check = (event: { preventDefault(): void; url: string; isMainFrame: boolean }) => {
    if (policies.get(contents)?.(event.url, event.isMainFrame)) return;
    if (isViewersOwn(contents, event.url, event.isMainFrame)) return;
    if (isReload(contents, event.url, event.isMainFrame)) return;
    event.preventDefault();
    onRefused('navigation', event.url);
  };
  contents.on('will-navigate', check);
  contents.on('will-redirect', check);
  contents.on('will-frame-navigate', check);
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
    onRefused('webview', '');
  });
  contents.setWindowOpenHandler(({ url }) => {
    onRefused('window', url);
    return { action: 'deny' };
  });
}

function lockSession(session: Session): void {
  forbidDictionaries(session);
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    // The player of our own screens may use full screen.
    answer(permission === 'fullscreen' && requestingUrl.startsWith(OWN_PAGES)),
  );
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // The engine writes all files; a page never saves a file by itself.
  session.on('will-download', (event) => event.preventDefault());
}

/** Restricts every page and session from its creation. Call once, before the first window. */
export function lockDown(onRefused: (what: string, address: string) => void): void {
  app.on('session-created', lockSession);
  app.on('web-contents-created', (_event, contents) => lockContents(contents, onRefused));
}

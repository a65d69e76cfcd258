import type { BrowserOpener } from '../../../../electron/engine/ports/browser-opener.ts';
import { FormBrowser } from '../../../helpers/service/service-sign-in.ts';

export interface Person extends BrowserOpener {
  /** The addresses opened for this user. */
  opened: string[];
  /** How often the sign-in window was closed by the application. */
  closed: number;
  /** The page that the application showed last. */
  lastPage: Promise<{ status: number; html: string }>;
}

interface Choice {
  email?: string;
  decision?: 'approve' | 'deny';
  /** Changes the redirect address that the browser opens. */
  tamper?: (redirect: URL) => void;
}

/** A user who signs in on the pages of the real service, with their real forms. */
export function person(admin: { email_address: string; password: string }, choice: Choice = {}): Person {
  const { promise, resolve, reject } = lastly<{ status: number; html: string }>();
  const self: Person = {
    opened: [],
    closed: 0,
    lastPage: promise,
    async open(url) {
      self.opened.push(url);
      signIn(url).then(resolve, reject);
      return { close: () => void self.closed++ };
    },
  };

  async function signIn(url: string) {
    const browser = new FormBrowser();
    let page = await browser.open(url);
    const email_address = choice.email ?? admin.email_address;
    page = await browser.submit(page, 'email_address', { email_address, password: admin.password });
    page = await browser.submit(page, 'decision', { decision: choice.decision ?? 'approve' });
    const back = new URL(page.response.headers.get('location') ?? '');
    choice.tamper?.(back);
    const end = await fetch(back);
    return { status: end.status, html: await end.text() };
  }
  return self;
}

/** Creates a user who handles the opened page in another way. */
export function someoneWho(acts: (url: string, events: { onClosed(): void }) => void | Promise<void>): BrowserOpener {
  return {
    async open(url, events) {
      void acts(url, events);
      return { close: () => {} };
    },
  };
}

function lastly<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

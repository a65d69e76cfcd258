// The isolation of the main window, tested from inside the real app.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConsoleMessage } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';

const START_URL = 'app://mediadesk/index.html';

let desktop: DesktopApp;
/** A web server that no part of the app may ever reach. */
let outside: Server;
let outsideUrl: string;
const outsideRequests: string[] = [];

beforeAll(async () => {
  outside = createServer((request, response) => {
    outsideRequests.push(request.url ?? '');
    response.end('outside');
  });
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done));
  outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  desktop = await launchApp();
});
afterAll(async () => {
  await desktop?.close();
  await new Promise((done) => outside.close(done));
});

/** Runs `action` in the page, then waits until the page reports that its policy refused `directive`. */
async function expectRefused(directive: string, action: (url: string) => unknown): Promise<void> {
  await desktop.window.evaluate(() => {
    const page = globalThis as unknown as { refused: string[]; listening?: boolean };
    page.refused = [];
    if (page.listening) return;
    page.listening = true;
    document.addEventListener('securitypolicyviolation', (event) => page.refused.push(event.effectiveDirective));
  });
  await desktop.window.evaluate(action, outsideUrl);
  await desktop.window.waitForFunction(
    (name) => (globalThis as unknown as { refused: string[] }).refused.includes(name),
    directive,
  );
}

describe('the content security policy', () => {
  it('is a header of the start page, and allows no foreign or inline script', async () => {
    const answer = await desktop.app.evaluate(async ({ net }, url) => {
      const response = await net.fetch(url);
      return { status: response.status, headers: Object.fromEntries(response.headers) };
    }, START_URL);
    expect(answer.status).toBe(200);
    const policy = answer.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain('worker-src app://mediadesk/assets/;');
    expect(policy).not.toContain('unsafe-eval');
    expect(policy.split('; ').find((part) => part.startsWith('script-src'))).not.toContain('unsafe-inline');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('is not violated by the screens themselves', async () => {
    const complaints: string[] = [];
    const note = (message: ConsoleMessage) => {
      if (message.type() === 'error' || /Content.Security.Policy|TrustedHTML/i.test(message.text())) {
        complaints.push(message.text());
      }
    };
    desktop.window.on('console', note);
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
    await desktop.window.waitForLoadState('load');
    await desktop.window.locator('html[data-ready]').waitFor();
    desktop.window.off('console', note);
    expect(complaints).toEqual([]);
  });
});

describe('code and content from elsewhere', () => {
  it('is not run when it is part of the page', async () => {
    await expectRefused('require-trusted-types-for', () => {
      const code = 'globalThis.inlineRan = true';
      const html = document.createElement('script');
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'script');
      const attempts = [
        () => html.append(code),
        () => svg.append(code),
        () => document.body.append(html, svg),
        () => document.body.setAttribute('onclick', code),
        () => document.body.click(),
        () => new DOMParser().parseFromString(`<script>${code}</script>`, 'text/html'),
      ];
      for (const attempt of attempts) {
        try {
          attempt();
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
        }
      }
    });
    await expectRefused('script-src-elem', () => {
      location.href = 'javascript:globalThis.inlineRan = true';
    });
    expect(await desktop.window.evaluate(() => 'inlineRan' in globalThis)).toBe(false);
  });

  it('is not run through eval, new Function or a timer with text', async () => {
    const errors = await desktop.window.evaluate(
      () =>
        // Runs in a separate task: while the debugger evaluates, the policy's rule about eval is suspended.
        new Promise<string[]>((resolve) => {
          const attempts: (() => unknown)[] = [
            // biome-ignore lint/security/noGlobalEval: it is the point of this test that this fails.
            () => eval('1'),
            () => new Function('return 1')(),
            () => setTimeout('1' as unknown as () => void),
          ];
          const outcome = (attempt: () => unknown) => {
            try {
              attempt();
              return 'ran';
            } catch (error) {
              return (error as Error).name;
            }
          };
          setTimeout(() => resolve(attempts.map(outcome)));
        }),
    );
    expect(errors).not.toContain('ran');
  });

  it('is not loaded: scripts, frames, images, connections', async () => {
    await expectRefused('script-src-elem', (url) => {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = `${url}/script.js`;
      document.head.append(link);
    });
    await expectRefused('frame-src', (url) => {
      const frame = document.createElement('iframe');
      frame.src = `${url}/frame`;
      document.body.append(frame);
    });
    await expectRefused('img-src', (url) => {
      new Image().src = `${url}/image.png`;
    });
    await expectRefused('connect-src', (url) => fetch(`${url}/data`).catch(() => undefined));
    // A connection to the app itself leads only to recordings and pictures.
    await expectRefused('connect-src', () => fetch('/index.html').catch(() => undefined));
    await expectRefused('connect-src', () => fetch('/content/captions/1/1/1').catch(() => undefined));
    await expectRefused('style-src-elem', () => {
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.head.append(style);
    });
    expect(outsideRequests).toEqual([]);
  });

  it('is not run as a worker: the only one is that for waveforms', async () => {
    const outcomes = await desktop.window.evaluate(async (url) => {
      const code = URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' }));
      const others = [
        `${url}/worker.js`,
        code,
        'data:text/javascript,postMessage(1)',
        '/index.html',
        '/assets/../index.html',
      ];
      const made = others.map((address) => {
        try {
          new Worker(address, { type: 'module' }).terminate();
          return `started ${address}`;
        } catch (error) {
          return (error as Error).name;
        }
      });
      new Worker('/assets/waveform-worker.js', { type: 'module' }).terminate();
      return made;
    }, outsideUrl);
    expect(new Set(outcomes)).toEqual(new Set(['TypeError']));
    expect(outsideRequests).toEqual([]);
  });

  it('can’t be turned into markup: plain text is not accepted where HTML is parsed', async () => {
    await expectRefused('require-trusted-types-for', () => {
      try {
        document.createElement('div').innerHTML = '<img src=x onerror="globalThis.inlineRan = true">';
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    });
    expect(await desktop.window.evaluate(() => 'inlineRan' in globalThis)).toBe(false);
    const emptied = await desktop.window.evaluate(() => {
      const element = document.createElement('div');
      element.textContent = 'old';
      element.innerHTML = '';
      return element.textContent;
    });
    expect(emptied).toBe('');
  });

  it('can’t read files of this computer', async () => {
    const results = await desktop.window.evaluate(() =>
      Promise.all(
        ['file:///etc/passwd', 'app://mediadesk/../../package.json'].map((url) =>
          fetch(url).then(
            () => 'read',
            (error: Error) => error.name,
          ),
        ),
      ),
    );
    expect(results).toEqual(['TypeError', 'TypeError']);
  });
});

describe('app://', () => {
  it.each([
    '/../../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/%2fetc%2fpasswd',
    '//etc/passwd',
    '/index.html%00',
    '/assets',
    '/none.js',
  ])('answers 404 to %s', async (path) => {
    const status = await desktop.app.evaluate(
      async ({ net }, url) => (await net.fetch(url)).status,
      `app://mediadesk${path}`,
    );
    expect(status).toBe(404);
  });

  it('answers 404 for another host and 405 for another method', async () => {
    const statuses = await desktop.app.evaluate(async ({ net }) => [
      (await net.fetch('app://elsewhere/index.html')).status,
      (await net.fetch('app://mediadesk/index.html', { method: 'POST', body: 'x' })).status,
    ]);
    expect(statuses).toEqual([404, 405]);
  });
});

describe('leaving the page', () => {
  const attempts: Record<string, (url: string) => unknown> = {
    'a script that sets the address': (url) => {
      location.href = url;
    },
    'a script that sets a file:// address': () => {
      location.href = 'file:///etc/passwd';
    },
    'a link': (url) => {
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
    },
    'a form': (url) => {
      const form = document.createElement('form');
      form.action = url;
      form.method = 'post';
      document.body.append(form);
      form.submit();
    },
    'a meta element with a refresh': (url) => {
      const meta = document.createElement('meta');
      meta.httpEquiv = 'refresh';
      meta.content = `0;url=${url}`;
      document.head.append(meta);
    },
    'a script that sets a data: address': () => {
      location.href = 'data:text/html,x';
    },
  };
  it.each(Object.entries(attempts))('is refused when it is caused by %s', async (_name, attempt) => {
    await desktop.window.evaluate(attempt, outsideUrl);
    // A navigation would have started before the answer to this later request can arrive.
    await desktop.app.evaluate(({ net }, url) => net.fetch(url).then(() => undefined), START_URL);
    expect(await desktop.window.evaluate(() => location.href)).toBe(START_URL);
    expect(outsideRequests).toEqual([]);
  });

  it('is refused in a new window, by script or by link', async () => {
    const opened = await desktop.window.evaluate((url) => {
      const link = document.createElement('a');
      link.href = url;
      link.target = '_blank';
      document.body.append(link);
      link.click();
      return [window.open(url), window.open('about:blank'), window.open('app://mediadesk/index.html')].map(Boolean);
    }, outsideUrl);
    expect(opened).toEqual([false, false, false]);
    expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    expect(outsideRequests).toEqual([]);
  });

  it('is refused in an embedded web view', async () => {
    const views = await desktop.window.evaluate((url) => {
      const view = document.createElement('webview');
      view.setAttribute('src', url);
      document.body.append(view);
      return 'getWebContentsId' in view;
    }, outsideUrl);
    expect(views).toBe(false);
    expect(await desktop.app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
  });

  it('is refused as a download', async () => {
    const started = await desktop.app.evaluate(async ({ session, BrowserWindow }) => {
      const done = new Promise<string>((resolve) => {
        session.defaultSession.on('will-download', (event) =>
          resolve(event.defaultPrevented ? 'prevented' : 'allowed'),
        );
      });
      BrowserWindow.getAllWindows()[0]?.webContents.downloadURL('app://mediadesk/index.html');
      return done;
    });
    expect(started).toBe('prevented');
  });
});

describe('permissions', () => {
  it('such as camera, location and clipboard are denied, in requests and in checks', async () => {
    const seen = await desktop.window.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'clipboard-read',
        'midi',
        'storage-access',
      ];
      const states = await Promise.all(
        names.map((name) =>
          navigator.permissions.query({ name: name as PermissionName }).then((status) => status.state),
        ),
      );
      const notification = await Notification.requestPermission();
      const location = await new Promise<string>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('given'),
          () => resolve('denied'),
        ),
      );
      const clipboard = await navigator.clipboard.readText().then(
        () => 'given',
        () => 'denied',
      );
      const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'given',
        () => 'denied',
      );
      return [...states, notification, location, clipboard, media];
    });
    expect(new Set(seen)).toEqual(new Set(['denied']));
  });

  it('allow full screen to a page of the app, and to no other page', async () => {
    /** Requests full screen as a press of a user does; returns whether the window of the page enters it. */
    const enters = (address: string | null) =>
      desktop.app.evaluate(async ({ BrowserWindow }, url) => {
        const window = url === null ? BrowserWindow.getAllWindows()[0] : new BrowserWindow();
        if (window === undefined) throw new Error('There is no window.');
        if (url !== null) await window.loadURL(url);
        let hasEntered = false;
        window.webContents.once('enter-html-full-screen', () => {
          hasEntered = true;
        });
        await window.webContents.executeJavaScript('void document.documentElement.requestFullscreen()', true);
        // The request was decided before the answer to this later script arrives.
        await window.webContents.executeJavaScript('document.fullscreenElement?.nodeName');
        if (url !== null) window.destroy();
        return hasEntered;
      }, address);
    expect(await enters('data:text/html,elsewhere')).toBe(false);
    expect(await enters(null)).toBe(true);
    await desktop.window.waitForFunction(() => document.fullscreenElement !== null);
    await desktop.window.evaluate(() => document.exitFullscreen());
  });
});

// Gives every end-to-end test file its own desktop (vitest.e2e.config.ts): screen, session bus, keychain and folders.
import { afterAll, afterEach } from 'vitest';
import { startDesktopSession } from '../../../build/desktop-session.ts';
import { reportWindows } from './window-report.ts';

const session = await startDesktopSession();
// Each file runs in its own process, so its environment is that of the session from here on.
for (const name of Object.keys(process.env)) if (!(name in session.env)) delete process.env[name];
Object.assign(process.env, session.env);

// Hooks run in reverse order: the apps that a file opened are already closed.
afterAll(() => session.stop());

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await reportWindows(task.name);
});

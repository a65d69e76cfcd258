// Gives every end-to-end test file a desktop of its own (vitest.e2e.config.ts): screen, session bus, keychain and folders.
import { afterAll } from 'vitest';
import { startDesktopSession } from '../../build/desktop-session.ts';

const session = await startDesktopSession();
// Each file has a process of its own, so its environment is that of the session from here on.
for (const name of Object.keys(process.env)) if (!(name in session.env)) delete process.env[name];
Object.assign(process.env, session.env);

// Hooks run in reverse order: the apps that a file opened are closed by now.
afterAll(() => session.stop());

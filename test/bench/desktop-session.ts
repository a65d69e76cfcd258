// What the benchmarks of the window share: a built app, and a screen and a keychain of their own.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../helpers/desktop/desktop-app.ts';

const inSession = 'MEDIADESK_BENCH_SESSION';

/** Starts this program again in a private desktop and runs `run` there. Exits with 1 when the app is not built. */
export async function inDesktopSession(run: () => Promise<void>): Promise<void> {
  if (!existsSync(join(projectDir, 'out', 'main', 'main.js'))) {
    console.error('The app is not built: run npm run build first.');
    process.exit(1);
  }
  if (process.env[inSession] !== undefined) return run();
  const session = join(projectDir, 'build', 'desktop-session.ts');
  const again = [process.execPath, ...process.argv.slice(1)];
  const env = { ...process.env, [inSession]: '1' };
  const child = spawn(process.execPath, [session, '--', ...again], { stdio: 'inherit', env });
  child.once('exit', (code) => process.exit(code ?? 1));
}

// `npm start`: the built app on this user's own screen. Arguments after `--` go to the app.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { launchCommand } from './electron-launch.ts';
import { MachineNotReady, prepare } from './prepare.ts';

const projectDir = resolve(import.meta.dirname, '..');

async function start(): Promise<number> {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new MachineNotReady('There is no display to show a window on. "npm run demo" works without one.');
  }
  const runtime = await prepare({ desktop: 'display', say: (line) => console.error(`prepare: ${line}`) });
  if (!runtime) throw new MachineNotReady('There is no Electron for this machine.');
  const { executablePath, args } = await launchCommand(runtime, projectDir);
  const child = spawn(executablePath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code) => done(code ?? 1));
  });
}

try {
  process.exitCode = await start();
} catch (error) {
  console.error(error instanceof MachineNotReady ? error.message : error);
  process.exitCode = 1;
}

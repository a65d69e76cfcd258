// Draws build/icons/icon.svg in every size that the desktops ask for, with the Chromium of the app itself. Run it after
// the drawing was changed, inside a desktop session:
//
//   npm run build && node build/desktop-session.ts -- node build/make-icons.ts
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron } from 'playwright';
import { launchCommand } from './electron-launch.ts';
import { resolveElectronRuntime } from './electron-runtime.ts';

const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
const projectDir = resolve(import.meta.dirname, '..');
const folder = join(projectDir, 'build', 'icons');

const svg = await readFile(join(folder, 'icon.svg'), 'utf8');
const profileDir = await mkdtemp(join(tmpdir(), 'mediadesk-icons-'));
const { executablePath, args } = await launchCommand(await resolveElectronRuntime(), projectDir);
const app = await _electron.launch({ executablePath, args: [...args, '--profile', profileDir] });
try {
  await app.firstWindow();
  for (const size of sizes) {
    const png = await app.evaluate(
      async ({ BrowserWindow }, { drawing, pixels }) => {
        const window = new BrowserWindow({
          width: pixels,
          height: pixels,
          useContentSize: true,
          frame: false,
          transparent: true,
          show: false,
          webPreferences: { offscreen: true, sandbox: true },
        });
        const style = 'html,body{margin:0;background:transparent}svg{display:block;width:100vw;height:100vh}';
        const page = `<!doctype html><style>${style}</style>${drawing}`;
        await window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`);
        // Frames from before the page was drawn are empty.
        await window.webContents.executeJavaScript(
          'new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))',
        );
        const painted = new Promise<string>((done) => {
          window.webContents.once('paint', (_event, _dirty, image) => done(image.toPNG().toString('base64')));
        });
        window.webContents.invalidate();
        const result = await painted;
        window.destroy();
        return result;
      },
      { drawing: svg, pixels: size },
    );
    await writeFile(join(folder, `${size}x${size}.png`), Buffer.from(png, 'base64'));
  }
} finally {
  await app.close();
  await rm(profileDir, { recursive: true, force: true });
}

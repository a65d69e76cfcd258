import type { KnipConfig } from 'knip';

// Finds files, exports and dependencies that nothing uses. An entry is a file that is started by its path, so no import shows
// that it is used. The entries of package.json's scripts and of the test configurations are found by Knip itself.
const config: KnipConfig = {
  project: ['{shared,electron,renderer,service,test,build}/**/*.{ts,tsx,mjs}', '*.config.ts'],
  entry: [
    // The three parts of the window app, as electron.vite.config.ts lists them.
    'electron/main/main.ts',
    'electron/preload/preload.ts',
    'renderer/main.tsx',
    'renderer/kit/waveform/worker.ts',
    // `tag-thread.ts` starts it by its path.
    'electron/engine/media-tags/thread-main.ts',
    // `picture-maker.ts` starts it by its path.
    'service/processing/tools/picture-worker.ts',
    // `service.ts` of the command line loads it by its path.
    'service/serve.ts',
    // `keytar-process.ts` starts it by its path.
    'electron/engine/ports/system/keytar-main.ts',
    // build/packages/cli-folder.ts bundles them, or starts them by their path.
    'electron/cli/installed.ts',
    'electron/cli/write-shell-files.ts',
    // Started by hand, as its first lines say.
    'build/make-icons.ts',
    // The release workflow starts it by its path.
    'test/packages/use-package.ts',
    'build/sign-feed.ts',
    // `npm run bench` starts every scenario by its path, and the scenarios start the workers.
    'test/bench/scenarios/**/*.ts',
    'test/bench/workers/*.ts',
    // `npm run simulate -- --guards` and a test start it by its path.
    'test/simulation/station/guard-worker.ts',
    'test/simulation/edits/edit-guard-worker.ts',
    // `test/windows/run.ts` starts them by their paths, in Wine.
    'test/windows/main.ts',
    'test/windows/as-vitest.mjs',
    'test/windows/cases/*.test.ts',
  ],
  vitest: { config: ['vitest.config.ts', 'vitest.e2e.config.ts'] },
  ignoreDependencies: [
    // build/check.ts and build/package.ts start them by their path.
    '@biomejs/biome',
    'electron-builder',
    // test/integration/service/openapi/generated-client.test.ts starts it by its path; the client that it generates imports the other.
    'oazapfts',
    '@oazapfts/runtime',
    // renderer/kit/styles/fonts.css names its files.
    '@fontsource-variable/inter',
  ],
  // Programs of the operating system; build/system-packages.ts installs those that the tests need.
  ignoreBinaries: [
    'ffmpeg',
    'ffprobe',
    'nginx',
    'promtool',
    'openssl',
    'mount',
    'nsenter',
    'sshfs',
    'umount',
    'reg',
    'unshare',
    'xdg-mime',
    'xdotool',
    'xrandr',
    'truncate',
    'sha256sum',
    'mkfifo',
    'cc',
    'systemd-inhibit',
    'xwininfo',
    'systemd-notify',
    'systemd-analyze',
    'wine',
  ],
};

export default config;

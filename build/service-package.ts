// `npm run package:service`: makes a Debian package of the library service, for a server without a screen. It has the programs of
// the command line with a Node of their own, a unit of systemd, a user, and the documents for operators.
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { packageVersion } from './linux/distribution-packages.ts';
import { makeCliFolder } from './packages/cli-folder.ts';
import { writeServiceNotices } from './packages/notices.ts';
import { runOrThrow } from './processes.ts';

const projectDir = resolve(import.meta.dirname, '..');
const SOURCES = join(projectDir, 'build', 'linux', 'service');
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Files of the package, by their path: the source, and the mode. */
const FILES: Readonly<Record<string, readonly [source: string, mode: number]>> = {
  'usr/bin/media-library': [join(SOURCES, 'launcher'), 0o755],
  'usr/lib/systemd/system/media-library.service': [join(SOURCES, 'media-library.service'), 0o644],
  'usr/lib/systemd/system/media-library-worker.service': [join(SOURCES, 'media-library-worker.service'), 0o644],
  'usr/lib/sysusers.d/media-library.conf': [join(SOURCES, 'sysusers.conf'), 0o644],
  'etc/default/media-library': [join(SOURCES, 'default'), 0o644],
  'etc/default/media-library-worker': [join(SOURCES, 'worker-default'), 0o644],
  'etc/logrotate.d/media-library': [join(SOURCES, 'logrotate'), 0o644],
  'usr/share/doc/media-library/copyright': [join(projectDir, 'LICENSE'), 0o644],
  'usr/share/doc/media-library/running-a-library.md': [join(projectDir, 'docs', 'running-a-library.md'), 0o644],
  'usr/share/doc/media-library/service.md': [join(projectDir, 'service', 'README.md'), 0o644],
  'usr/share/doc/media-library/library-dashboard.json': [
    join(projectDir, 'docs', 'operating', 'library-dashboard.json'),
    0o644,
  ],
  'usr/share/doc/media-library/library-alerts.yml': [
    join(projectDir, 'docs', 'operating', 'library-alerts.yml'),
    0o644,
  ],
  'usr/share/media-library/languages/en.json': [join(projectDir, 'service', 'languages', 'en.json'), 0o644],
  'usr/share/media-library/languages/de.json': [join(projectDir, 'service', 'languages', 'de.json'), 0o644],
  'DEBIAN/postinst': [join(SOURCES, 'postinst'), 0o755],
  'DEBIAN/prerm': [join(SOURCES, 'prerm'), 0o755],
  'DEBIAN/postrm': [join(SOURCES, 'postrm'), 0o755],
};

/** ffmpeg makes encodings and thumbnails; without it the service still works. */
function controlText(version: string, architecture: string): string {
  return `Package: media-library
Version: ${version}
Architecture: ${architecture}
Maintainer: The Mediadesk authors <maintainers@mediadesk.org>
Depends: libc6 (>= 2.28), libstdc++6
Recommends: ffmpeg
Suggests: nginx, logrotate
Section: net
Priority: optional
Description: hosted media library service
 Keeps recordings, pictures and documents in collections, with roles, podcasts
 and an API. Browsers, Mediadesk and other programs use it over HTTP.
`;
}

async function main(): Promise<void> {
  const { platform, arch } = process;
  const { version: given } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const version = packageVersion(given);
  const architecture = ARCHITECTURES[arch];
  if (platform !== 'linux' || architecture === undefined)
    throw new Error('The package is made on Linux, for x64 or arm64.');
  const output = join(projectDir, 'dist');
  const tree = join(output, 'service-tree');
  await rm(tree, { recursive: true, force: true });
  const program = join(tree, 'usr', 'lib', 'media-library');
  await makeCliFolder({ projectDir, folder: program, platform, arch });
  const doc = join(tree, 'usr', 'share', 'doc', 'media-library');
  await writeServiceNotices({ projectDir, program, folder: doc, version, platform, arch });
  for (const [path, [source, mode]] of Object.entries(FILES)) {
    const file = join(tree, path);
    await mkdir(dirname(file), { recursive: true });
    await copyFile(source, file);
    await chmod(file, mode);
  }
  await mkdir(join(tree, 'etc', 'media-library'));
  await writeFile(join(tree, 'DEBIAN', 'control'), controlText(version, architecture));
  await writeFile(
    join(tree, 'DEBIAN', 'conffiles'),
    '/etc/default/media-library\n/etc/default/media-library-worker\n/etc/logrotate.d/media-library\n',
  );
  const deb = join(output, `media-library_${version}_${architecture}.deb`);
  await runOrThrow('chmod', ['-R', 'go=rX', tree]);
  await runOrThrow('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, deb]);
  await rm(tree, { recursive: true });
  console.error(`package: made ${deb}`);
}

await main();

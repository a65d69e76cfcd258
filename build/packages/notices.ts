// Writes NOTICES.txt and sbom.cdx.json for a package, from the graphs that the bundlers recorded.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { GRAPH_FILE, packageFolderOf, readGraph } from './bundled-packages.ts';
import { type Component, componentOf, electronComponent, nodeComponent } from './components.ts';

/** The packages that electron-builder.yml copies beside the bundle of the app. */
const BESIDE_THE_APP = ['keytar', '@photostructure/sqlite', 'node-gyp-build'];

interface NoticeOptions {
  projectDir: string;
  /** Becomes the folder of resources; contains the finished `cli`. */
  resources: string;
  version: string;
  electronVersion: string;
  platform: string;
  arch: string;
}

/** Returns the folders of all npm packages of bundles (by their graphs) and beside one of them, relative to the project. */
async function shippedPackages(graphs: readonly string[], beside: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of graphs) {
    const { packages, unknown } = readGraph(file);
    if (unknown.length > 0) throw new Error(`Parts of a bundle of unknown origin: ${unknown.join(', ')}`);
    for (const folder of packages) found.add(folder);
  }
  for (const entry of await readdir(join(beside, 'node_modules'), { recursive: true })) {
    const folder = packageFolderOf(join(beside, 'node_modules', entry));
    if (entry.endsWith(`${sep}package.json`) && folder === join(beside, 'node_modules', entry, '..'))
      found.add(relative(beside, folder));
  }
  return found;
}

/** Writes both files about the app into the folder of resources, and removes the recorded graph from it. */
export async function writeNotices(options: NoticeOptions): Promise<Component[]> {
  const { projectDir, resources, electronVersion } = options;
  const graphs = [`main-${GRAPH_FILE}`, join('preload', GRAPH_FILE), join('renderer', GRAPH_FILE)];
  const cli = join(resources, 'cli');
  const files = [...graphs.map((name) => join(projectDir, 'out', name)), join(cli, GRAPH_FILE)];
  const folders = await shippedPackages(files, cli);
  for (const name of BESIDE_THE_APP) folders.add(join('node_modules', name));
  const components = componentsOf(options, folders, [electronComponent(projectDir, electronVersion)]);
  await write(resources, components, options.version);
  await rm(join(cli, GRAPH_FILE));
  return components;
}

/** Writes both files about a package of the service into `folder`. `program`: its finished folder of `makeCliFolder`. */
export async function writeServiceNotices(
  options: Pick<NoticeOptions, 'projectDir' | 'version' | 'platform' | 'arch'> & { program: string; folder: string },
): Promise<void> {
  const { program, folder, version } = options;
  const folders = await shippedPackages([join(program, GRAPH_FILE)], program);
  await write(folder, componentsOf(options, folders, []), version);
  await rm(join(program, GRAPH_FILE));
}

/** Returns Node and the npm packages in these folders, each version once: npm may install one in several folders. */
function componentsOf(
  { projectDir, platform, arch }: Pick<NoticeOptions, 'projectDir' | 'platform' | 'arch'>,
  folders: ReadonlySet<string>,
  runtimes: readonly Component[],
): Component[] {
  const packages = [...folders].sort().map((folder) => componentOf(join(projectDir, folder)));
  const all = [...runtimes, nodeComponent(projectDir, platform, arch), ...packages];
  return [...new Map(all.map((each) => [`${each.name}@${each.version}`, each])).values()];
}

async function write(folder: string, components: readonly Component[], version: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'NOTICES.txt'), noticesText(components));
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(components, version), null, 1)}\n`);
}

const LINE = '-'.repeat(100);

/** Returns the notices. A text that several components share is printed once, below all their names. */
export function noticesText(components: readonly Component[]): string {
  const byTexts = new Map<string, Component[]>();
  for (const component of components) {
    const text = component.texts.join('\n\n');
    byTexts.set(text, [...(byTexts.get(text) ?? []), component]);
  }
  const parts = [...byTexts].map(([text, group]) => {
    const names = group.map(
      ({ name, version, license, homepage }) => `${name} ${version} (${license})${homepage ? `, ${homepage}` : ''}`,
    );
    return `${LINE}\n${names.join('\n')}\n\n${text}\n`;
  });
  return `Mediadesk contains software of other authors, under these licences.\n\n${parts.join('\n')}`;
}

/** Returns the list of components as CycloneDX 1.6. The same components have the same serial number. */
export function sbomOf(components: readonly Component[], version: string): Record<string, unknown> {
  const digest = createHash('sha256')
    .update(JSON.stringify([version, components]))
    .digest('hex');
  const serial = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `4${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  const reference = ({ name, version: of, purl }: Component) => purl ?? `${name}@${of}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial.join('-')}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'mediadesk', name: 'mediadesk', version } },
    components: components.map((component) => ({
      type: component.purl === null ? 'framework' : 'library',
      'bom-ref': reference(component),
      name: component.name,
      version: component.version,
      licenses: /^[\w.+-]+$/.test(component.license)
        ? [{ license: { id: component.license } }]
        : [{ expression: component.license }],
      ...(component.purl === null ? {} : { purl: component.purl }),
    })),
    dependencies: [{ ref: 'mediadesk', dependsOn: components.map(reference) }],
  };
}

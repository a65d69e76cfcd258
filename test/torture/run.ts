// npm run torture -- [service | archives | engine | torn | keychain | many | edits | collections] [options]: real processes, killed and restarted, for a
// configured time.
import { parseArgs } from 'node:util';
import { killArchives } from './archives/kill-archives.ts';
import { killNewCollections } from './collections/kill-new-collections.ts';
import { killBulkEdits } from './edits/kill-bulk-edits.ts';
import { allFailpointCases, runFailpointCampaign } from './engine/failpoint-campaign.ts';
import { STORIES } from './engine/failpoint-plans.ts';
import { killEngineAtRandom } from './engine/random-kills.ts';
import { killAmongRivals } from './engine/rival-kills.ts';
import { failKeychainCalls } from './keychain/keychain-campaign.ts';
import { uploadFromVeryMany } from './many/very-many.ts';
import { killServiceUnderLoad } from './service-kills.ts';
import { openMirrorTornAtPages } from './torn/torn-mirrors.ts';
import { openQueueTornAtPages, openTornQueues } from './torn/torn-queues.ts';
import { anySeed } from './with-seed.ts';

const USAGE = `usage: npm run torture -- [service] [--kills N]        the service is killed N times under load (200)
       npm run torture -- archives [--kills N]              backups, restores and their service, killed N times (300)
       npm run torture -- engine --failpoints [--rounds N]  the engine dies at each of its effects (3 rounds)
                                 [--only TEXT]              only at failpoints whose names contain TEXT
                                 [--story NAME]           only those of one story: library is edits, collections and the mirror
                                 [--from N]                 from case N on, to continue a campaign
       npm run torture -- engine --kills N [--files N]      the engine is killed N times at random (1000 files)
       npm run torture -- engine --rivals [--kills N] [--files N]  several on one profile, killed at random (50, 200)
       npm run torture -- torn [--cases N]                  queues as a crash or a bad disk leaves them (500)
       npm run torture -- torn --pages [--each N]           one queue, torn at every page; one of N of them (1)
       npm run torture -- torn --mirror [--each N]          one mirror, torn at every page; one of N of them (1)
       npm run torture -- keychain                          every call of the keychain fails, in every way
       npm run torture -- many [--files N]                  so many files in one batch (100000), over a restart
       npm run torture -- edits [--items N] [--kills N]     all items edited and restored, killed meanwhile (5000, 5)
                                 [--import]                 edited in a spreadsheet that is exported and imported
       npm run torture -- collections [--each N]            new collections, killed at each effect; one of N cases (1)
Where chance has a part (service, archives, engine --kills and --rivals, torn, edits), the seed is said at the start, and --seed N asks for one.`;

const { values, positionals } = readArguments();
const say = (line: string) => console.log(line);
switch (positionals[0] ?? 'service') {
  case 'service':
    await tortureService();
    break;
  case 'archives':
    await tortureArchives();
    break;
  case 'engine':
    if (values.failpoints) await tortureAtFailpoints();
    else if (values.rivals) await tortureRivals();
    else await tortureAtRandom();
    break;
  case 'torn':
    await tortureQueues();
    break;
  case 'keychain':
    await tortureKeychain();
    break;
  case 'many':
    await tortureMany();
    break;
  case 'edits':
    await tortureEdits();
    break;
  case 'collections':
    await tortureCollections();
    break;
  default:
    refuse();
}

async function tortureService(): Promise<void> {
  const report = await killServiceUnderLoad(count(values.kills, 200), seedOf(), say);
  say(
    `${report.kills} kills: ${report.items} acknowledged items and ${report.files} acknowledged files all there, ` +
      `${report.openButComplete} more were complete with the right bytes; the database passed its check every time`,
  );
}

async function tortureArchives(): Promise<void> {
  const rounds = Math.ceil(count(values.kills, 300) / 3);
  const { backups, restores, services } = await killArchives(rounds, seedOf(), say);
  say(
    `${3 * rounds} kills. backup: ${backups.nothing} had made nothing, ${backups.partial} a part, ${backups.whole} all of it. ` +
      `restore: ${restores.nothing} had made nothing, ${restores.refused} a part that no service starts on, ${restores.whole} ` +
      `all of it. service: ${services.failed} backups failed, ${services.whole} were whole. Each next command did its work`,
  );
}

async function tortureAtFailpoints(): Promise<void> {
  const only = values.only ?? '';
  const story = STORIES.find((each) => each === values.story);
  if (values.story !== undefined && story === undefined) refuse();
  const cases = allFailpointCases(count(values.rounds, 3), story)
    .filter(({ name }) => name.includes(only))
    .slice(count(values.from, 1) - 1);
  const report = await runFailpointCampaign(cases, say);
  say(
    `${report.kills} kills at ${report.failpoints} failpoints: ${report.complete} files, each there exactly once with ` +
      'the right bytes; the queue passed its check every time',
  );
}

async function tortureAtRandom(): Promise<void> {
  const report = await killEngineAtRandom(count(values.kills, 200), count(values.files, 1000), seedOf(), say);
  say(
    `${report.kills} kills while ${report.files} files went up: ${report.complete} complete, each there exactly once ` +
      'with the right bytes; the queue passed its check every time',
  );
}

async function tortureRivals(): Promise<void> {
  const report = await killAmongRivals(count(values.kills, 50), count(values.files, 200), seedOf(), say);
  say(
    `${report.kills} kills among rivals for one profile: ${report.owners} had it one after the other, ${report.refused} were ` +
      `informed that it is in use; ${report.complete} files, each there exactly once`,
  );
}

async function tortureEdits(): Promise<void> {
  const source = values.import ? 'spreadsheet' : 'selection';
  const counts = { items: count(values.items, 5000), kills: count(values.kills, 5) };
  const report = await killBulkEdits({ ...counts, seed: seedOf(), source }, say);
  say(
    `${report.kills} kills while ${report.items} items were edited and restored: ${report.values} values in ${report.writes} ` +
      `writes, each sent exactly once; ${report.left} values of someone else were left alone; ` +
      `${report.itemsPerSecond.toFixed(0)} items/s, ${report.eventsPerSecond.toFixed(1)} events/s`,
  );
}

async function tortureCollections(): Promise<void> {
  const report = await killNewCollections(count(values.each, 1), say);
  say(
    `${report.kills} kills, of ${report.cases} cases: three collections that were made offline, each there once, at its place ` +
      'and with its name, and one upload in the innermost, with its file; the queue passed its check every time',
  );
}

async function tortureQueues(): Promise<void> {
  const seed = seedOf();
  if (values.mirror) {
    const { cases, rebuilt, healed } = await openMirrorTornAtPages(count(values.each, 1), seed, say);
    say(`${cases} mirrors: ${rebuilt} were reported and made again, ${healed} were right after a pass`);
    return;
  }
  const report = values.pages
    ? await openQueueTornAtPages(count(values.each, 1), seed, say)
    : await openTornQueues(count(values.cases, 500), seed, say);
  say(
    `${report.cases} queues: ${report.whole} were complete, ${report.rowsFailed} with damaged rows failed, ` +
      `${report.rowsMissing} with a notice of missing rows, ${report.setAside} were set aside, ${report.refused} refused`,
  );
}

async function tortureMany(): Promise<void> {
  const from = performance.now();
  const seconds = () => Math.round((performance.now() - from) / 1000);
  const report = await uploadFromVeryMany(count(values.files, 100_000), 200, (line) => say(`${line} (${seconds()} s)`));
  if (report.broken.length > 0) throw new Error(report.broken.join('\n'));
  say(
    `${report.files} files in one batch, all there after a restart; ${report.sent} of them were sent, each once, the others ` +
      `cancelled; the process grew by ${Math.round(report.grownBytes / 1024 ** 2)} MiB`,
  );
}

async function tortureKeychain(): Promise<void> {
  const report = await failKeychainCalls({ thorough: true }, say);
  if (report.broken.length > 0) throw new Error(report.broken.join('\n'));
  say(
    `${report.journeys} journeys over ${report.calls} calls of the keychain: every file there once, no secret in any file; ` +
      `${report.signIns} asked for a sign-in, because nothing could be stored until the end`,
  );
}

/** The requested seed, or a random one; printed in both cases. */
function seedOf(): number {
  const seed = count(values.seed, anySeed());
  say(`seed ${seed}`);
  return seed;
}

function count(text: string | undefined, otherwise: number): number {
  const number = Number(text ?? otherwise);
  if (!Number.isInteger(number) || number < 1) refuse();
  return number;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        kills: { type: 'string' },
        failpoints: { type: 'boolean', default: false },
        rivals: { type: 'boolean', default: false },
        pages: { type: 'boolean', default: false },
        mirror: { type: 'boolean', default: false },
        import: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        only: { type: 'string' },
        story: { type: 'string' },
        from: { type: 'string' },
        files: { type: 'string' },
        items: { type: 'string' },
        cases: { type: 'string' },
        each: { type: 'string' },
        seed: { type: 'string' },
      },
    });
  } catch {
    return refuse();
  }
}

function refuse(): never {
  console.error(USAGE);
  process.exit(2);
}

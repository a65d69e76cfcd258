// npm run institution:kills [-- --minutes N --clients N --processes N --workers N --files N --seed N]
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { startInstitution } from './institution.ts';

const option = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({
  options: {
    minutes: option('30'),
    clients: option('50'),
    processes: option('2'),
    workers: option('2'),
    kills: option('1'),
    files: option('1500'),
    seed: option(String(1 + Math.floor(Math.random() * 1e9))),
  },
});
console.log(`seed ${values.seed}`);
const institution = await startInstitution({
  processes: Number(values.processes),
  workers: Number(values.workers),
  seed: 'empty',
});
try {
  const report = await runCampaign(institution, {
    clients: Number(values.clients),
    ms: Number(values.minutes) * 60_000,
    kills: Number(values.kills),
    files: Number(values.files),
    everyMs: [1000, 8000],
    seed: Number(values.seed),
    onProgress: console.log,
  });
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} finally {
  await institution.stop();
}

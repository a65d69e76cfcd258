// npm run torture -- [--kills N]: the service is killed N times under load and must keep every promise that it made.
import { parseArgs } from 'node:util';
import { killServiceUnderLoad } from './service-kills.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } } });
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) {
  console.error('usage: npm run torture -- [--kills N]');
  process.exit(2);
}
const report = await killServiceUnderLoad(kills, (line) => console.log(line));
console.log(
  `${report.kills} kills: ${report.items} acknowledged items and ${report.files} acknowledged files all there, ` +
    `${report.openButComplete} more came out complete with the right bytes; the database was sound every time`,
);

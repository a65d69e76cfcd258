// One big file over plain http to a sink outside of Node: our sender, the same with hashing, curl -F.
import { openNativeTools } from '../native-tools.ts';
import { alternate, curl, GIB, hasCurl, isQuick, MIB, pairedRatio, sender, sparseFile, speedOf } from '../peers.ts';
import { atLeast, atMost, figure, median, type Row, report } from '../report.ts';

const sizeBytes = isQuick ? GIB / 2 : 2 * GIB;
const rounds = isQuick ? 5 : 7;
/** The most CPU time for a GiB that is promised, in seconds, whatever other programs need. */
const FRUGAL_CPU = 0.6;

const tools = openNativeTools();
const file = sparseFile(sizeBytes);
try {
  const sink = await tools.startSink();
  const peers = [sender(tools, sink, file.path), sender(tools, sink, file.path, '--hash')];
  if (hasCurl()) peers.push(curl(tools, sink, file.path));
  const found = await alternate(peers, rounds);

  const cpuOf = (name: string) =>
    median((found.get(name) ?? []).map(({ cpuSeconds }) => cpuSeconds / (sizeBytes / GIB)));
  const memoryOf = (name: string) =>
    Math.max(...(found.get(name) ?? []).map((round) => (round.rssGrowthBytes ?? 0) / MIB));

  const rows: Row[] = [];
  for (const { name } of peers) {
    rows.push(figure(`${name}: throughput`, speedOf(found, name, sizeBytes), 'MiB/s'));
    rows.push(figure(`${name}: CPU`, cpuOf(name), 's/GiB', 2));
  }
  if (hasCurl()) {
    rows.push(atLeast('throughput, sender : curl', pairedRatio(found, 'curl -F', 'sender', 'seconds'), 1.1));
    const cpuRatio = atMost('CPU per GiB, sender : curl', pairedRatio(found, 'sender', 'curl -F', 'cpuSeconds'), 1);
    const isFrugal = cpuOf('sender') <= FRUGAL_CPU;
    rows.push({ ...cpuRatio, target: `≤ 1.00, or ${FRUGAL_CPU} s/GiB`, ok: cpuRatio.ok || isFrugal });
  }
  rows.push(atMost('memory growth, sender', memoryOf('sender'), 60, 'MiB', 0));
  rows.push(atMost('memory growth, sender with SHA-256', memoryOf('sender with SHA-256'), 60, 'MiB', 0));
  const about = `${sizeBytes / GIB} GiB of zeros over loopback http, sink in ${tools.language}, medians of ${rounds} rounds, sender warmed up by 128 MiB`;
  report({ scenario: 'sender-vs-curl', about, rows });
} finally {
  tools.close();
  file.remove();
}

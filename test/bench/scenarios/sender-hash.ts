// One big file as the app sends it, with SHA-256: our sender, the same with hashing inline, curl -F alone and with sha256sum.
import { openNativeTools } from '../native-tools.ts';
import {
  alternate,
  curl,
  curlAndSha256sum,
  GIB,
  hasCurl,
  isQuick,
  pairedRatio,
  type Round,
  sender,
  sparseFile,
  speedOf,
} from '../peers.ts';
import { atLeast, figure, median, type Row, report } from '../report.ts';

const sizeBytes = isQuick ? GIB / 2 : 2 * GIB;
const rounds = isQuick ? 5 : 7;
/** The speed of a line of 10 Gbit/s in MiB/s. */
const LINE_MIBS = 1192;

const APP = 'sender with SHA-256';

const tools = openNativeTools();
const file = sparseFile(sizeBytes);
try {
  const sink = await tools.startSink('drain');
  const peers = [
    sender(tools, sink, file.path),
    sender(tools, sink, file.path, '--hash'),
    sender(tools, sink, file.path, '--hash', '--inline'),
  ];
  if (hasCurl()) {
    peers.push(
      curl(tools, sink, file.path),
      curlAndSha256sum(tools, sink, file.path, 'then'),
      curlAndSha256sum(tools, sink, file.path, 'beside'),
    );
  }
  const found = await alternate(peers, rounds);
  const cpuOf = (each: readonly Round[]) => median(each.map(({ cpuSeconds }) => cpuSeconds / (sizeBytes / GIB)));
  const rows: Row[] = peers.flatMap(({ name }) => [
    name === APP
      ? atLeast(`${name}: throughput`, speedOf(found, name, sizeBytes), LINE_MIBS, 'MiB/s', 0)
      : figure(`${name}: throughput`, speedOf(found, name, sizeBytes), 'MiB/s'),
    figure(`${name}: CPU`, cpuOf(found.get(name) ?? []), 's/GiB', 2),
  ]);
  for (const { name } of peers) {
    if (name !== APP)
      rows.push(figure(`throughput, ${APP} : ${name}`, pairedRatio(found, name, APP, 'seconds'), '', 2));
  }
  const about = `${sizeBytes / GIB} GiB of zeros over loopback http, sink in ${tools.language} that drops bytes in the kernel, medians of ${rounds} rounds`;
  report({ scenario: 'sender-hash', about, rows });
} finally {
  tools.close();
  file.remove();
}
